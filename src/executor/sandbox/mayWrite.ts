/** Decides which files a patch may write to without asking: the same folders as a command in the sandbox. */
import { isWithin } from '../../streams/text/trim';
import { isWithinAny } from './paths';
import type { Roots } from './pinRoots';
import { namesIn, type ProtectedFiles, pointedTo } from './protectedPaths';

/** The files, and what is never writable. */
type MayWriteDeps = {
  files: ProtectedFiles;
  /** Folders of this program, never writable. Absolute paths. */
  own: readonly string[];
};

/** Also in nested repositories, where git reads them as well. */
const PROTECTED = new Set(['.git', '.codex', 'git~1']);

/**
 * On some disks `.GIT` is the same folder, also with invisible characters in it, or with a dot, a space or a stream name after it.
 * Source: CVE-2014-9390, CVE-2019-1352.
 */
const isProtected = (name: string): boolean =>
  PROTECTED.has(
    name
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/:.*$/, '')
      .replace(/[. ]+$/, '')
      .toLowerCase(),
  );

/** True for an absolute path without links in a writable folder, except paths that configure git, Codex or this program. */
export const mayWrite =
  ({ files, own }: MayWriteDeps, { workspace, temporary }: Roots) =>
  (real: string): boolean => {
    const root = [...workspace, ...temporary].find((folder) => isWithin(folder, real));
    if (root === undefined) return false;
    const names = real.slice(root.length).split('/');
    if (names.some(isProtected)) return false;
    const obeyed = [...own, ...namesIn(workspace).flatMap((path) => [path, ...pointedTo(files, path)])];
    return !isWithinAny([...obeyed, ...obeyed.flatMap((path) => files.realpath(path) ?? [])], real);
  };
