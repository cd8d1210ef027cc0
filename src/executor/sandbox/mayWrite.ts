/** Decides which files a patch may write to without asking: the same folders as a command in the sandbox. */
import { isWithin } from '../../streams/text/trim';
import { isProtectedName } from './closedPlaces';
import { isWithinAny } from './paths';
import type { Roots } from './pinRoots';
import { namesIn, type ProtectedFiles, pointedTo } from './protectedPaths';

/** The files, and what is never writable. */
type MayWriteDeps = {
  files: ProtectedFiles;
  /** Folders of this program, never writable. Absolute paths. */
  own: readonly string[];
  /** What the user takes out of the writable folders. Absolute paths. Default: nothing. */
  taken?: readonly string[];
};

/** True for an absolute path without links in a writable folder, except paths that configure git, Codex or this program. */
export const mayWrite =
  ({ files, own, taken = [] }: MayWriteDeps, { workspace, temporary }: Roots) =>
  (real: string): boolean => {
    const roots = [...workspace, ...temporary].filter((folder) => isWithin(folder, real));
    if (!roots.some((root) => !real.slice(root.length).split('/').some(isProtectedName))) return false;
    const inRoots = own.filter((path) => !roots.some((root) => root !== path && isWithin(path, root))); // what holds a root has entries of its own outside
    const obeyed = [...inRoots, ...taken, ...namesIn(workspace).flatMap((path) => [path, ...pointedTo(files, path)])];
    return !isWithinAny([...obeyed, ...obeyed.flatMap((path) => files.realpath(path) ?? [])], real);
  };
