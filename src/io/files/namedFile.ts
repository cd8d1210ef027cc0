/** Opens a file that a person names, such as a tape: private to its owner, and never the file that somebody's link leads to. */
import { resolve } from 'node:path';
import { syncFile, writeAll } from './createFile';
import type { FileSystem } from './fileSystem';
import { checkPlaceOfRoot, OF_SYSTEM } from './placeOfRoot';

/** A file that is added to. All members throw the error of the system. */
export type NamedFile = {
  /** For a stream, which then closes it. */
  fd: number;
  /** False for a pipe or a device. */
  isFile: boolean;
  append: (bytes: Uint8Array) => void;
  /** Ends a last line that was cut off, for example by a full disk. */
  endLine: () => void;
  /** Writes at an offset in bytes; does nothing if another file has its name by now. */
  overwrite: (at: number, bytes: Uint8Array) => void;
  /** In bytes. */
  size: () => number;
  sync: () => void;
  close: () => void;
};

const MODE = 0o600;
const OTHERS = 0o077;
const NEWLINE = Buffer.from('\n');

/**
 * Opens a file for appending. It is made with mode 0600 if it is missing, and made private if it was not. A link in a
 * repository could lead to any file of the user, so one at the end of the path is refused.
 * Throws the error of the system, with the remedy if the path is a link.
 */
export const openNamed = (fs: FileSystem, path: string): NamedFile => {
  const { O_WRONLY, O_APPEND, O_CREAT } = fs.constants;
  const { fd, found } = openedOf(fs, path, O_WRONLY | O_APPEND | O_CREAT);
  const isFile = found.isFile();
  const append = (bytes: Uint8Array) => writeAll(fs, fd, bytes);
  return {
    fd,
    isFile,
    append,
    endLine: () => isFile && isCutOff(fs, path, found) && append(NEWLINE),
    overwrite: (at, bytes) => overwrite({ fs, path, ino: found.ino }, at, bytes),
    size: () => fs.fstatSync(fd).size,
    sync: () => isFile && syncFile(fs, fd),
    close: () => fs.closeSync(fd),
  };
};

/** Opens a log: like a tape, but never a file that blocks, as a FIFO without a reader would for ever. */
export const openNamedLog = (fs: FileSystem, path: string): number => {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = fs.constants;
  const { fd, found } = openedOf(fs, path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
  if (found.isFile() || found.isCharacterDevice()) return fd;
  fs.closeSync(fd);
  throw new Error(`${path} is not a file`);
};

const openedOf = (fs: FileSystem, path: string, flags: number) => {
  checkPlaceOfRoot({ fs }, resolve(path));
  const fd = opened(fs, path, flags | (OF_SYSTEM.test(path) ? 0 : (fs.constants.O_NOFOLLOW ?? 0)));
  try {
    checkPlaceOfRoot({ fs }, resolve(path)); // another user may have made it meanwhile
    const found = fs.fstatSync(fd);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fs.fchmodSync(fd, MODE);
    return { fd, found };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
};

const opened = (fs: FileSystem, path: string, flags: number): number => {
  try {
    return fs.openSync(path, flags, MODE);
  } catch (error) {
    const isLink = ['ELOOP', 'EMLINK'].includes(String((error as NodeJS.ErrnoException).code));
    throw isLink ? new Error(`${path} is a link; name the file that it leads to`) : error;
  }
};

/** A descriptor for appending cannot read, so the file is opened once more. */
const isCutOff = (fs: FileSystem, path: string, { size }: { size: number }): boolean => {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  const fd = fs.openSync(path, fs.constants.O_RDONLY);
  try {
    fs.readSync(fd, last, 0, 1, size - 1);
  } finally {
    fs.closeSync(fd);
  }
  return !last.equals(NEWLINE);
};

type Place = { fs: FileSystem; path: string; ino: number };

/** A descriptor for appending writes at the end only, so the file is opened once more. */
const overwrite = ({ fs, path, ino }: Place, at: number, bytes: Uint8Array): void => {
  const fd = fs.openSync(path, fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0));
  try {
    if (fs.fstatSync(fd).ino === ino) fs.writeSync(fd, bytes, 0, bytes.length, at);
  } finally {
    fs.closeSync(fd);
  }
};
