/**
 * Looks at paths. A path can fail to be looked at in many ways: nothing is there, it leads below a file or into a loop of links, it is too
 * long, a folder on its way is closed to this user, the disk fails. No look in this file throws: whatever the reason, the path is then no
 * file, no folder and no program. Where that would be wrong, because what cannot be looked at may well be there, use `lookAt` or `factsOrThrow`.
 */
import {
  accessSync,
  type BigIntStats,
  constants,
  existsSync,
  lstatSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';

const unlessFailed = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined; // whatever the reason: see above
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
