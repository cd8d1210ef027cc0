/** Reads files of a repository, whose author may be hostile: a pipe would block the whole daemon, a device never ends. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { exactFactsAt, factsAt } from '../../io/paths/look';
import { atOnce, type Pausing } from '../../streams/pausing';
import { SandboxError } from './sandbox';
import type { ReadPieces, SandboxFiles } from './sandboxFiles';

const { O_NONBLOCK, O_RDONLY } = constants;

/** Files that name a git directory are far shorter. */
const MOST_BYTES = 67_108_864;

const isShortFile = ({ size }: Stats): boolean => size <= MOST_BYTES;

/** No more files can be opened, so nothing is known of a path. */
const SCARCE = ['EMFILE', 'ENFILE'];

const isOfSystem = (error: unknown): boolean => /^E[A-Z\d]+$/.test(String((error as NodeJS.ErrnoException).code));

/** True for a failure that is about this process, such as too many open files, and not about the file. */
export const isScarce = (error: unknown): boolean => SCARCE.includes(String((error as NodeJS.ErrnoException).code));

/**
 * The bytes of a regular file below the length limit; undefined for anything else, and if it cannot be read. Never blocks.
 * Throws if no more files can be opened.
 * @param flags such as O_NOFOLLOW
 */
export const readPlain = (path: string, flags = 0): Buffer | undefined =>
  atOnce(
    withPlain(path, flags, function* (fd, facts) {
      yield;
      return isShortFile(facts) ? readFileSync(fd) : undefined;
    }),
  );

const START_BYTES = 1_024;

/** As `readPlain`, but no more than the first bytes. */
export const readStart = (path: string): Buffer | undefined =>
  atOnce(
    withPlain(path, 0, function* (fd) {
      yield;
      const bytes = Buffer.allocUnsafe(START_BYTES);
      return bytes.subarray(0, readSync(fd, bytes));
    }),
  );

const PIECE_BYTES = 1_048_576;

/** Some four million files of a repository. */
const MOST_IN_PIECES = 536_870_912;

/** Gives the bytes of a regular file to a reader, piece by piece; the reader may stop early. Throws SandboxError above half a GiB. */
export const readPieces = <T>(path: string, read: ReadPieces<T>): Pausing<T | undefined> =>
  withPlain(path, 0, (fd, { size }) => {
    if (size > MOST_IN_PIECES)
      throw new SandboxError(`${path} has ${size} bytes, of which at most ${MOST_IN_PIECES} are read`);
    return read(piecesOf(fd, size));
  });

function* piecesOf(fd: number, size: number): Generator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    const count = readSync(fd, piece, 0, piece.length, at);
    if (count === 0) return; // it was cut since
    yield piece.subarray(0, count);
    at += count;
  }
}

function* withPlain<T>(
  path: string,
  flags: number,
  read: (fd: number, facts: Stats) => Pausing<T>,
): Pausing<T | undefined> {
  try {
    if (!factsAt(path)?.isFile()) return undefined; // some devices act when they are opened
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | flags); // it may be a pipe by now
    try {
      const facts = fstatSync(fd);
      return facts.isFile() ? yield* read(fd, facts) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!isOfSystem(error) || isScarce(error)) throw error;
    return undefined;
  }
}

type OnceDeps = Pick<SandboxFiles, 'readPieces'> & {
  /** Stays the same as long as a file does; undefined if that is not certain. */
  versionAt: (path: string) => string | undefined;
};

/** Paths of indexes that are remembered; then all are forgotten. */
const MOST_KNOWN = 4_096;

/**
 * As `readPieces`, but what a reader has made of a file is kept until the file changes: each command needs the index of its repository, which may have
 * 100 MB.
 */
export const readPiecesOnce = ({ readPieces, versionAt }: OnceDeps): SandboxFiles['readPieces'] => {
  const known = new Map<string, { version: string; results: Map<unknown, unknown> }>();
  return function* <T>(path: string, read: ReadPieces<T>): Pausing<T | undefined> {
    const version = versionAt(path);
    if (version === undefined) return yield* readPieces(path, read);
    const before = known.get(path);
    const results = before?.version === version ? before.results : new Map<unknown, unknown>();
    if (!results.has(read)) results.set(read, yield* readPieces(path, read));
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(path, { version, results });
    return results.get(read) as T | undefined;
  };
};

/** The time of a change is as coarse as the clock of the kernel: a file may change again within it. */
const UNCERTAIN_MS = 2_000;

/** The version of a regular file that has not changed lately. */
export const versionAt = (path: string): string | undefined => {
  const facts = exactFactsAt(path);
  if (!facts?.isFile() || Number(facts.ctimeMs) > Date.now() - UNCERTAIN_MS) return undefined;
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join();
};
