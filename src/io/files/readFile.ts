/** Reads private files, and files that the system makes. */
import { FileError, failedWith } from './fileError';
import type { FileDeps, FileSystem } from './fileSystem';
import { openPrivate } from './openPrivate';

const CHUNK_BYTES = 65_536;

/**
 * The text of a file, or its first `maxBytes`; undefined if there is none. Throws FileError.
 * A character that the limit cuts reads as U+FFFD.
 */
export const readText = (deps: FileDeps, path: string, maxBytes = Number.POSITIVE_INFINITY): string | undefined => {
  const fd = openThere(deps, path);
  if (fd === undefined) return undefined;
  try {
    const size = Math.min(maxBytes, Math.max(deps.fs.fstatSync(fd).size, CHUNK_BYTES));
    return readUpTo(deps, fd, size).toString();
  } finally {
    deps.fs.closeSync(fd);
  }
};

const openThere = (deps: FileDeps, path: string): number | undefined => {
  try {
    return openPrivate(deps, path, 'read');
  } catch (error) {
    if (error instanceof FileError && failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const readUpTo = ({ fs }: FileDeps, fd: number, size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const count = fs.readSync(fd, bytes, at, size - at, null);
    if (count === 0) return bytes.subarray(0, at);
    at += count;
  }
  return bytes;
};

/** Reads small files that the system makes, such as in /proc. */
const MAX_BYTES = 1024;

/** The first bytes of a file as text, undefined if it cannot be read: there is no /proc here, or the process has just ended. */
export const readSystem = (
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync'>,
  path: string,
): string | undefined => {
  try {
    const fd = fs.openSync(path, 'r');
    const bytes = Buffer.alloc(MAX_BYTES);
    try {
      return bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, MAX_BYTES, 0));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
};
