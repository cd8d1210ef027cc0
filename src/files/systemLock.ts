/** Locks of the operating system, as other programs take them on a file. */
import type { FileSystem } from './fileSystem';

export type SystemLockDeps = Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync' | 'lstatSync'>;

const MAX_BYTES = 1_048_576;

/**
 * The process that has a lock on a file (flock), undefined where none has, or where the system does not tell.
 * Source: proc(5), /proc/locks: `1: FLOCK  ADVISORY  WRITE 12473 fe:00:2427620 0 EOF`.
 */
export const systemLock =
  (fs: SystemLockDeps) =>
  (path: string): number | undefined => {
    const found = fs.lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const line = locksOf(fs).find(([, kind, , , , place]) => kind === 'FLOCK' && place?.endsWith(`:${found.ino}`));
    return line === undefined ? undefined : Number(line[4]);
  };

const locksOf = (fs: SystemLockDeps): string[][] => {
  try {
    const fd = fs.openSync('/proc/locks', 'r');
    const bytes = Buffer.allocUnsafe(MAX_BYTES);
    try {
      const text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, MAX_BYTES, 0));
      return text.split('\n').map((line) => line.split(/\s+/));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return []; // a system without /proc
  }
};
