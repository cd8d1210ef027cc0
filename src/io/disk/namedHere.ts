/** Files that a person names, on this machine. */
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { createFile } from '../files/createFile';
import { type NamedFile, openNamed, openNamedLog } from '../files/namedFile';
import { checkPlaceOfRoot } from '../files/placeOfRoot';
import { isThere, isWritableFolder, linkFactsAt, lookAtLink } from '../paths/look';
import { foldersUp } from '../paths/relations';
import { filesBeside } from './filesHere';

/** Opens a file for appending; see openNamed. */
export const openToAppend = (path: string): NamedFile => openNamed(fs, path);

/**
 * Opens a log for appending, as a stream: private to its owner, no link, without ever blocking, in a folder that is made (0700) if it is missing.
 * @param path absolute
 * Throws the error of the file system, or if the path is neither a file nor a device such as /dev/null; see openNamedLog.
 */
export const openLogFile = (path: string): Writable => {
  makeNamedFolder(dirname(path));
  return fs.createWriteStream(path, { fd: openNamedLog(fs, path) });
};

/** Makes a private folder, and the folders above it, if they are missing. Throws the error of the system. */
export const makeNamedFolder = (path: string): void => {
  checkPlaceOfRoot({ fs }, resolve(path));
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** Makes a new private file, which is on the disk when this returns. Throws the error of the system; see createFile. */
export const createNamed = (path: string, text: string): void => {
  checkPlaceOfRoot({ fs }, resolve(path));
  createFile(fs, path, { text, until: 'disk' });
};

/** Removes a file that this process made, if it is there; what is no regular file stays. */
export const removeNamed = (path: string): void => {
  if (linkFactsAt(path)?.isFile()) fs.rmSync(path, { force: true });
};

/** Removes folders, in their order, up to the first that is not empty. */
export const removeEmpty = (folders: readonly string[]): void => {
  try {
    for (const folder of folders) fs.rmdirSync(folder);
  } catch {
    // what cannot be removed stays, and what is above it
  }
};

/** Replaces a file as a whole. Throws FileError, and leaves the old one then. */
export const replaceNamed = (path: string, text: string): void => filesBeside(dirname(path)).files.replace(path, text);

/** Takes the lock of a file; returns how to release it. `taken` if another process has it; undefined if it can have no lock. */
export const lockNamed = (path: string): (() => void) | 'taken' | undefined => {
  const whole = resolve(path);
  if (!isThere(dirname(whole)) || linkFactsAt(whole)?.isFile() === false) return undefined;
  try {
    const lock = filesBeside(dirname(whole)).files.lock(`${whole}.lock`);
    return lock.kind === 'locked' ? lock.release : 'taken';
  } catch {
    return undefined;
  }
};

/** Whether a folder belongs to this user; also true if there certainly is none, and on systems without users. */
export const isOwnFolder = (path: string): boolean => {
  const found = lookAtLink(path);
  if (found.kind === 'absent' || process.getuid === undefined) return true;
  return found.kind === 'there' && found.facts.uid === process.getuid();
};

/**
 * Why this process keeps no files in a folder of this program, with the remedy; undefined if it can. Of a folder that is missing, the nearest above it counts.
 * @param variable names the folder, or a folder above it
 */
export const whyNotKept = (folder: string, variable: string): string | undefined => {
  const whole = resolve(folder);
  try {
    checkPlaceOfRoot({ fs }, whole);
  } catch (error) {
    return `${(error as Error).message} by ${variable}`;
  }
  const nearest = foldersUp(whole).find(isThere);
  return nearest === undefined || isWritableFolder(nearest)
    ? undefined
    : `${nearest} cannot be written: make it writable for the user of the server, or name another folder by ${variable}`;
};
