/** The lock files of this process have the same content, so they are one file, with a hard link for each lock. */

import { failedWith } from './fileError';
import type { FileDeps } from './fileSystem';

/** The file, by its inode number, and its names. Changed in place, as thousands come and go. */
export type OwnLocks = { ino: number; names: Set<string> };

/** No lock yet. */
export const ownLocks = (): OwnLocks => ({ ino: 0, names: new Set() });

/** Notes a lock that has a new file; further locks share that file where there is no other. */
export const noteLock = ({ fs }: FileDeps, own: OwnLocks, path: string): true => {
  if (own.names.size === 0) {
    own.ino = fs.lstatSync(path).ino;
    own.names.add(path);
  }
  return true;
};

/**
 * Claims a lock by one more hard link to the file of another: that makes no file, and the name appears with its content. False where the name is
 * there already; undefined where it cannot be done: without another lock, without links, and where somebody else has put a file in its place.
 */
export const nameAgain = ({ fs }: FileDeps, own: OwnLocks, path: string): boolean | undefined => {
  const [from] = own.names;
  if (from === undefined) return undefined;
  try {
    fs.linkSync(from, path);
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    own.names.delete(from);
    return undefined;
  }
  own.names.add(path);
  if (fs.lstatSync(path).ino === own.ino) return true;
  own.names.clear();
  fs.rmSync(path, { force: true });
  return undefined;
};
