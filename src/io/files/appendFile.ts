/** Appends whole lines to a private file. */
import { SYNC_REFUSED } from './createFile';
import { FileError, failedWith, toFileError } from './fileError';
import type { FileDeps, FileSystem } from './fileSystem';
import { openPrivate } from './openPrivate';

/** A file that is open for appending. */
export type Appender = {
  /** Returns when the system has the text, so the end of this process does not lose it. A failed write leaves no part of the text, if possible. */
  append: (text: string) => void;
  /** Writes the file to the disk, in the background; `failed` is called if that fails. */
  sync: (failed: (error: FileError) => void) => void;
  /** In bytes. */
  size: () => number;
  /** The error of a file that was removed while it was open; undefined if it has its name. */
  removed: () => FileError | undefined;
  /** Returns at once; the file is closed after the pending syncs. */
  close: () => void;
};

const NEWLINE = 0x0a;

/** Opens a file for appending, made if it is missing. A last line that was cut off is ended first. Throws FileError. */
export const openAppender = (deps: FileDeps, path: string): Appender => {
  const { fs } = deps;
  const fd = openPrivate(deps, path, 'append');
  const attempt = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw toFileError(path, 'cannot be written', error);
    }
  };
  const append = (text: string): void => attempt(() => writeWhole(fs, fd, text));
  if (isCutOff(deps, fd)) append('\n');
  const removed = () =>
    attempt(() => fs.fstatSync(fd).nlink) === 0 ? new FileError(removedText(path), REMOVED) : undefined;
  return { append, removed, size: () => attempt(() => fs.fstatSync(fd).size), ...syncing(fs, fd, path) };
};

/** The code of the error of a file that was removed while it was open. */
const REMOVED = 'EREMOVED';

/** Whether this is the error of a file that was removed while it was open. */
export const isRemoved = (error: Error): boolean => error instanceof FileError && error.code === REMOVED;

const removedText = (path: string): string => `${path} was removed while it was open, so what is written to it is lost`;

/** A long text is encoded in pieces of this size, in UTF-16 units: as a whole it would need as much memory again. */
const PIECE = 262_144;
const MAX_UTF8 = 3; // bytes of a UTF-16 unit

/** Writes everything or nothing, so that it can be written again later: what was written of it is the end of the file. */
const writeWhole = (fs: FileSystem, fd: number, text: string): void => {
  const bytes = Buffer.allocUnsafe(MAX_UTF8 * Math.min(text.length, PIECE));
  let written = 0;
  try {
    for (const piece of piecesOf(text)) {
      const encoded = bytes.subarray(0, bytes.write(piece));
      for (let at = 0; at < encoded.length; ) {
        const count = fs.writeSync(fd, encoded, at);
        at += count;
        written += count;
      }
    }
  } catch (error) {
    if (written > 0) tryToShorten(fs, fd, written);
    throw error;
  }
};

/** No piece ends inside a character. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    const isInside = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const piece = text.slice(at, isInside ? end - 1 : end);
    yield piece;
    at += piece.length;
  }
}

const tryToShorten = (fs: FileSystem, fd: number, by: number): void => {
  try {
    fs.ftruncateSync(fd, fs.fstatSync(fd).size - by);
  } catch {
    // a part stays; a line that is cut off is ended when the file is opened again
  }
};

/** A closed descriptor may soon belong to another file, so it is closed after the last pending sync. */
const syncing = (fs: FileSystem, fd: number, path: string): Pick<Appender, 'sync' | 'close'> => {
  let pending = 0;
  let isClosed = false;
  const closeIfDone = () => {
    if (isClosed && pending === 0) fs.closeSync(fd);
  };
  const sync: Appender['sync'] = (failed) => {
    pending += 1;
    fs.fsync(fd, (error) => {
      pending -= 1;
      closeIfDone();
      if (error && !failedWith(error, SYNC_REFUSED)) failed(toFileError(path, 'cannot be written', error));
    });
  };
  const close = () => {
    isClosed = true;
    closeIfDone();
  };
  return { sync, close };
};

/** Whether the last byte is no line end, as after a crash or on a full disk. */
const isCutOff = ({ fs }: FileDeps, fd: number): boolean => {
  const { size } = fs.fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  fs.readSync(fd, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
};
