/**
 * Looks at paths. A path can fail to be looked at in many ways: nothing is there, it leads below a file or into a loop of links, it is too
 * long, a folder on its way is closed to this user, the disk fails. No look in this file throws: whatever the reason, the path is then no
 * file, no folder and no program. Where that would be wrong, because what cannot be looked at may well be there, use `lookAt` or `factsOrThrow`.
 */
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';

/** What a look finds; undefined if it fails, for whatever reason: see above. */
export const unlessFailed = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** An error is slow to make, and most paths that are asked for are not there. */
const QUIET = { throwIfNoEntry: false } as const;

/** What a path leads to, through links; undefined if there is nothing that can be looked at. */
export const factsAt = (path: string): Stats | undefined => unlessFailed(() => statSync(path, QUIET));

/** What has this name itself, be it a link; undefined if there is nothing that can be looked at. */
export const linkFactsAt = (path: string): Stats | undefined => unlessFailed(() => lstatSync(path, QUIET));

/** The same as `linkFactsAt`, with whole inode numbers, and times in nanoseconds. */
export const exactFactsAt = (path: string): BigIntStats | undefined =>
  unlessFailed(() => lstatSync(path, { ...QUIET, bigint: true }));

/** True if a path leads to something. */
export const isThere = (path: string): boolean => existsSync(path);

/** True for a regular file, also behind a link. */
export const isFile = (path: string): boolean => factsAt(path)?.isFile() ?? false;

/** True for a folder, also behind a link. */
export const isFolder = (path: string): boolean => factsAt(path)?.isDirectory() ?? false;

/** True for a regular file, or a link to one, that this user may run. */
export const isProgram = (path: string): boolean => cannotEnter(path) === undefined && isFile(path);

/** True if this user may read what is at a path, as far as the system says so beforehand. */
export const isReadable = (path: string): boolean => failureOf(path, constants.R_OK) === undefined;

/** True if this user may write what is at a path. */
export const isWritable = (path: string): boolean => failureOf(path, constants.W_OK) === undefined;

/** True for a folder in which this user may make files. */
export const isWritableFolder = (path: string): boolean =>
  isFolder(path) && failureOf(path, constants.W_OK | constants.X_OK) === undefined;

/** The path without links; undefined if there is nothing that can be looked at. */
export const realPathOf = (path: string): string | undefined =>
  existsSync(path) ? unlessFailed(() => realpathSync.native(path)) : undefined;

/** Why this user may not run a file or enter a folder, as the error of the system; undefined if it may. */
export const cannotEnter = (path: string): NodeJS.ErrnoException | undefined => failureOf(path, constants.X_OK);

const failureOf = (path: string, rights: number): NodeJS.ErrnoException | undefined => {
  try {
    accessSync(path, rights);
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
};

/** What a path leads to: something, certainly nothing, or something unknown, because the system refuses the look. */
type Look = { kind: 'there'; facts: Stats } | { kind: 'absent' } | { kind: 'unknown'; error: NodeJS.ErrnoException };

/** Nothing can be below a file, and nothing can have a name that is too long. */
const ABSENT: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

const look = (read: () => Stats): Look => {
  try {
    return { kind: 'there', facts: read() };
  } catch (error) {
    return isAbsent(error) ? { kind: 'absent' } : { kind: 'unknown', error: error as NodeJS.ErrnoException };
  }
};

/** True for an error of the system which means that nothing is at the path. */
export const isAbsent = (error: unknown): boolean => ABSENT.includes((error as NodeJS.ErrnoException).code);

/** What is behind a path; links are followed. */
export const lookAt = (path: string): Look => look(() => statSync(path));

/** What has this name itself, be it a link. */
export const lookAtLink = (path: string): Look => look(() => lstatSync(path));

/** What is behind a path. Throws the error of the system if it is not there or cannot be looked at: a check that cannot be made has failed. */
export const factsOrThrow = (path: string): Stats => statSync(path);

/** The same of what has this name itself, be it a link. */
export const linkFactsOrThrow = (path: string): Stats => lstatSync(path);

/**
 * The text of a regular file, also behind a link; undefined if there is none. Throws the error of the system if it cannot be read. A pipe would
 * keep the whole program waiting for its other end, and some devices never end.
 */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readRegular(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};

/** What is read whole is far smaller; reading more, be it of holes, would hold up the whole program. */
const MAX_BYTES = 67_108_864;

/** The same for a file that has to be there: throws the error of the system if it is not. */
export const readRegular = (path: string): string => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const facts = fstatSync(fd);
    if (facts.size > MAX_BYTES) throw new Error(`it has ${facts.size} bytes; at most ${MAX_BYTES} are read`);
    if (facts.isFile() || facts.isDirectory()) return readFileSync(fd, 'utf8'); // of a folder, the error of the system
    throw new Error(`${path} is not a regular file: remove it, or move it away`);
  } finally {
    closeSync(fd);
  }
};

const { O_NONBLOCK = 0, O_RDONLY } = constants;
