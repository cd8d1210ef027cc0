/** Decides which files a patch may write to without asking: the same folders as a command in the sandbox. */
import { isWithinAny } from '../../io/paths/relations';
import { isWithin } from '../../streams/text/trim';
import { isProtectedName } from './closedPlaces';
import { namesIn, type ProtectedFiles, pointedTo } from './findProtected';
import { NO_PROTECTED_PATHS, type ProtectedPaths, type Roots } from './pinRoots';

/** The files, and what is never writable. */
type MayWriteDeps = {
  files: ProtectedFiles;
  /** Folders of this program, never writable. Absolute paths. */
  own: readonly string[];
  /** The user protects these paths. Default: none. */
  protectedPaths?: ProtectedPaths;
};

/** True for an absolute path without links in a writable folder, except paths that configure git, Codex or this program. */
export const mayWrite =
  (
    { files, own, protectedPaths: { readOnly, denied } = NO_PROTECTED_PATHS }: MayWriteDeps,
    { workspace, temporary }: Roots,
  ) =>
  (real: string): boolean => {
    const roots = [...workspace, ...temporary].filter((folder) => isWithin(folder, real));
    if (!roots.some((root) => !real.slice(root.length).split('/').some(isProtectedName))) return false;
    const resolved = (paths: readonly string[]) => paths.flatMap((path) => [path, files.realpath(path) ?? path]);
    const obeyed = [...own, ...namesIn(workspace).flatMap((path) => [path, ...pointedTo(files, path)])];
    const holdsRoot = (path: string) => roots.some((root) => root !== path && isWithin(path, root)); // such as the bare repository around a work tree
    const inRoots = resolved(obeyed).filter((path) => !holdsRoot(path)); // of a folder that holds a root, what is obeyed lies outside of the root
    return !isWithinAny([...inRoots, ...resolved([...readOnly, ...denied])], real);
  };
