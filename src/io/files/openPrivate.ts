/** Opens a private file: never through a link, never a file that blocks, readable by its owner only. */
import { dirname } from 'node:path';
import { FileError, toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { checkPlaceOfRoot } from './placeOfRoot';
import { checkFolders, makeFolder } from './privateFolder';

/** `read` only; `append`: written at its end, made if it is missing. */
type OpenMode = 'read' | 'append';

const FILE_MODE = 0o600;
const SHARED = 0o077;

/** Opens a regular file below the root; returns its descriptor. A file to write to is made private. Throws FileError with the system's code. */
export const openPrivate = (deps: FileDeps, path: string, mode: OpenMode): number => {
  const what = mode === 'read' ? 'cannot be read' : 'cannot be written';
  try {
    if (mode === 'read') checkFolders(deps, dirname(path));
    else {
      makeFolder(deps, dirname(path));
      checkPlaceOfRoot(deps, path);
    }
    return openChecked(deps, path, mode);
  } catch (error) {
    throw toFileError(path, what, error);
  }
};

/** Without O_NONBLOCK, opening a FIFO would wait for its other side. */
const flagsOf = ({ constants }: FileDeps['fs'], mode: OpenMode): number => {
  const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const never = O_NOFOLLOW | O_NONBLOCK;
  return never | (mode === 'read' ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND);
};

const openChecked = (deps: FileDeps, path: string, mode: OpenMode): number => {
  const { fs } = deps;
  const fd = fs.openSync(path, flagsOf(fs, mode), FILE_MODE);
  try {
    const found = fs.fstatSync(fd);
    if (!found.isFile()) throw new FileError(`${path} is not a regular file: remove it, or move it away`);
    if (mode !== 'read') checkPlaceOfRoot(deps, path);
    if (mode !== 'read' && (found.mode & SHARED) !== 0) fs.fchmodSync(fd, FILE_MODE);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
};
