/** Reads private files, and files that the system makes. */
import type { Pausing } from '../../streams/pausing';
import { FileError, failedWith } from './fileError';
import type { FileDeps, FileSystem } from './fileSystem';
import { openPrivate } from './openPrivate';

const CHUNK_BYTES = 65_536;

/** The text of a file, or its first `maxBytes`; undefined if there is none. Throws FileError. A character that the limit cuts reads as U+FFFD. */
export const readText = (deps: FileDeps, path: string, maxBytes = Number.POSITIVE_INFINITY): string | undefined => {
  const fd = openThere(deps, path);
  if (fd === undefined) return undefined;
  try {
    const size = Math.min(maxBytes, Math.max(deps.fs.fstatSync(fd).size, CHUNK_BYTES));
    if (size > MAX_STRING_BYTES) throw new FileError(`${path} is too large to be read as a whole`);
    return readUpTo(deps, fd, size).toString();
  } finally {
    deps.fs.closeSync(fd);
  }
};

/** V8 has no longer strings, of characters of one byte. */
const MAX_STRING_BYTES = 0x1fffffe8;

/** How much of a line shows whether it is wanted. */
const HEAD_BYTES = 512;
const LINES_CHUNK_BYTES = 1_048_576;

/** Whether a line is wanted. @param head its beginning; @param at its place in the file, in bytes */
export type IsWanted = (head: string, at: number) => boolean;

/** The lines of a file that are wanted, and the last line, as they are read; nothing without a file. Throws FileError. */
export function* readLines(deps: FileDeps, path: string, isWanted: IsWanted): Generator<string[]> {
  const fd = openThere(deps, path);
  if (fd === undefined) return;
  try {
    const bytes = Buffer.allocUnsafe(LINES_CHUNK_BYTES); // all chunks are read into it
    yield* wantedLines(() => readInto(deps, { fd }, bytes), isWanted);
  } finally {
    deps.fs.closeSync(fd);
  }
}

const LINE_BREAK = 0x0a;

/** @param next reads the next bytes into the place of the bytes before; none at the end */
function* wantedLines(next: () => Buffer, isWanted: IsWanted): Generator<string[]> {
  let lines: string[] = [];
  let begin = 0; // of the line, in the file
  let parts: Buffer[] = []; // of the line that has begun
  let last: Buffer[] = []; // of the line before it, if that was not wanted
  const endLine = () => {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const isKept = line.length < MAX_STRING_BYTES && isWanted(line.toString('utf8', 0, HEAD_BYTES), begin);
    if (isKept) lines.push(line.toString());
    begin += line.length + 1;
    last = isKept ? [] : [line];
    parts = [];
  };
  for (let bytes = next(); bytes.length > 0; bytes = next()) {
    let from = 0;
    for (let at = bytes.indexOf(LINE_BREAK); at >= 0; at = bytes.indexOf(LINE_BREAK, from)) {
      parts.push(bytes.subarray(from, at));
      endLine();
      from = at + 1;
    }
    if (from < bytes.length) parts.push(Buffer.from(bytes.subarray(from)));
    if (from > 0) last = last.map((line) => Buffer.from(line)); // it has ended in these bytes
    yield lines;
    lines = [];
  }
  const [unwanted] = last;
  if (unwanted && unwanted.length < MAX_STRING_BYTES) lines.push(unwanted.toString());
  if (parts.length > 0) endLine();
  yield lines;
}

/**
 * The place, in bytes, of the last line with a word in its beginning that `isIt` takes; undefined without such a line. The file is read
 * from its end, with a pause after each MiB. Throws FileError.
 */
export function* findLastLine(
  deps: FileDeps,
  path: string,
  { word, isIt }: { word: string; isIt: (line: string) => boolean },
): Pausing<number | undefined> {
  const fd = openThere(deps, path);
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(LINES_CHUNK_BYTES);
    let from = deps.fs.fstatSync(fd).size;
    let later = 0; // bytes of the chunk after, in which a beginning may end
    while (from > 0) {
      const end = from + later;
      from = Math.max(0, end - LINES_CHUNK_BYTES);
      for (const at of beginningsWith(word, readInto(deps, { fd, from }, bytes.subarray(0, end - from)), from === 0))
        if (isIt(lineAt(deps, fd, from + at))) return from + at;
      later = HEAD_BYTES;
      yield;
    }
    return undefined;
  } finally {
    deps.fs.closeSync(fd);
  }
}

/** The places of the lines with the word in their beginning, the last first; of the first line only if it is known to begin there. */
function* beginningsWith(word: string, bytes: Buffer, isStart: boolean): Generator<number> {
  for (let at = bytes.lastIndexOf(word); at >= 0; ) {
    const begin = bytes.lastIndexOf(LINE_BREAK, at) + 1;
    const isBeginning = at - begin < HEAD_BYTES;
    if (isBeginning && (begin > 0 || isStart)) yield begin;
    const next = isBeginning ? begin - 1 : begin + HEAD_BYTES - 1; // a line may have the word very often
    at = next < 0 ? -1 : bytes.lastIndexOf(word, next);
  }
}

/** The line that begins there; empty if it is too long for a text. */
const lineAt = (deps: FileDeps, fd: number, begin: number): string => {
  const parts: Buffer[] = [];
  for (let at = begin; at - begin < MAX_STRING_BYTES; at += CHUNK_BYTES) {
    const part = readInto(deps, { fd, from: at }, Buffer.allocUnsafe(CHUNK_BYTES));
    const end = part.indexOf(LINE_BREAK);
    parts.push(end < 0 ? part : part.subarray(0, end));
    if (end >= 0 || part.length < CHUNK_BYTES) return Buffer.concat(parts).toString();
  }
  return '';
};

const openThere = (deps: FileDeps, path: string): number | undefined => {
  try {
    return openPrivate(deps, path, 'read');
  } catch (error) {
    if (error instanceof FileError && failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const readUpTo = (deps: FileDeps, fd: number, size: number): Buffer => readInto(deps, { fd }, Buffer.allocUnsafe(size));

/** Fills the buffer from the file, from where it was read to by default. Returns the part that was filled, which is shorter at the end. */
const readInto = ({ fs }: FileDeps, { fd, from }: { fd: number; from?: number }, bytes: Buffer): Buffer => {
  for (let at = 0; at < bytes.length; ) {
    const count = fs.readSync(fd, bytes, at, bytes.length - at, from === undefined ? null : from + at);
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
