/** The files that this program owns, below one folder: the port, and how a file is replaced as a whole. */
import { basename, dirname, join } from 'node:path';
import type { Pausing } from '../../streams/pausing';
import { type Appender, openAppender } from './appendFile';
import { createFile, syncFile } from './createFile';
import { type FileError, failedWith, toFileError } from './fileError';
import type { FileDeps, FileSystem } from './fileSystem';
import { type Lock, type LockDeps, takeLock } from './lockFile';
import { checkPlaceOfRoot } from './placeOfRoot';
import { checkFolders, makeFolder } from './privateFolder';
import { findLastLine, type IsWanted, readLines, readText } from './readFile';

/** One name in a folder; links and devices are neither files nor folders, and are left out. */
type FolderEntry = { name: string; isFolder: boolean };

/** Private files (0600) in private folders (0700) below one root. Links are never followed. Absolute paths. All members throw FileError. */
export type PrivateFiles = {
  /** The text, or its first bytes; undefined if there is no file. */
  read: (path: string, maxBytes?: number) => string | undefined;
  /** The lines that are wanted, and the last whole line, of a file of any size, a MiB at a time; nothing if there is no file. */
  lines: (path: string, isWanted: IsWanted) => Iterable<string[]>;
  /** The place, in bytes, of the last line that has the word in its beginning and that `isIt` takes. */
  findLastLine: (path: string, line: { word: string; isIt: (line: string) => boolean }) => Pausing<number | undefined>;
  open: (path: string) => Appender;
  replace: (path: string, text: string) => void;
  /** Makes the folder that it needs, and replaces what is there. */
  move: (from: string, to: string) => void;
  /** Does nothing if there is no file. */
  remove: (path: string) => void;
  /** Empty if there is no folder. */
  list: (folder: string) => FolderEntry[];
  /** Removes what `replace` left in a folder when its process was killed, a minute later. */
  tidy: (folder: string) => void;
  /** Size in bytes, time of the last write in ms, and inode; undefined if there is no such file. */
  facts: (path: string) => { size: number; writtenMs: number; ino: number } | undefined;
  lock: (path: string) => Lock;
};

/** The private files below the root. */
export const privateFiles = (deps: LockDeps): PrivateFiles => {
  const { fs } = deps;
  return {
    read: (path, maxBytes) => readText(deps, path, maxBytes),
    lines: (path, isWanted) => readLines(deps, path, isWanted),
    findLastLine: (path, line) => findLastLine(deps, path, line),
    open: (path) => openAppender(deps, path),
    replace: (path, text) => replaceFile(deps, path, text),
    move: (from, to) =>
      attempt(from, 'cannot be moved', () => {
        checkPlace(deps, from);
        makeFolder(deps, dirname(to));
        fs.renameSync(from, to);
        for (const folder of new Set([dirname(from), dirname(to)])) syncFolder(fs, folder);
      }),
    remove: (path) =>
      attempt(path, 'cannot be removed', () => {
        checkPlace(deps, path);
        fs.rmSync(path, { force: true });
      }),
    list: (folder) => attempt(folder, 'cannot be read', () => listFolder(deps, folder)),
    tidy: (folder) => attempt(folder, 'cannot be read', () => isFolder(deps, folder) && dropOldDrafts(deps, folder)),
    facts: (path) =>
      attempt(path, 'cannot be read', () => {
        const found = fs.lstatSync(path, { throwIfNoEntry: false });
        return found?.isFile() ? { size: found.size, writtenMs: Math.floor(found.mtimeMs), ino: found.ino } : undefined;
      }),
    lock: (path) => takeLock(deps, path),
  };
};

const checkPlace = (deps: FileDeps, path: string): void => {
  checkFolders(deps, dirname(path));
  checkPlaceOfRoot(deps, path);
};

/** Throws if a link leads there, or something else has its name. */
const isFolder = (deps: LockDeps, folder: string): boolean => {
  checkFolders(deps, folder);
  return deps.fs.lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
};

const listFolder = (deps: LockDeps, folder: string): FolderEntry[] => {
  if (!isFolder(deps, folder)) return [];
  return deps.fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
};

const attempt = <T>(path: string, what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw toFileError(path, what, error) satisfies FileError;
  }
};

/**
 * Writes a file (0600) so that readers see the old text or the new one, also after a crash. A link of this name is replaced, not
 * followed. Throws FileError, and leaves the old file then. Drafts of this file that a crash left are removed.
 */
export const replaceFile = (deps: DraftDeps, path: string, text: string): void => {
  const { fs } = deps;
  const draft = draftOf(deps, path);
  checkPlaceOfRoot(deps, path);
  try {
    makeFolder(deps, dirname(path));
    createFile(fs, draft, { text, until: 'disk' });
    fs.renameSync(draft, path);
    syncFolder(fs, dirname(path));
    dropOldDrafts(deps, dirname(path), `${basename(path)}.`);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw toFileError(path, 'cannot be written', error);
  }
};

/** Not every system can open a folder, nor can every file system sync one. */
const UNABLE = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Returns when each making, renaming and removal of a file in the folder is on the disk, if the system can do that. */
export const syncFolder = (
  fs: Pick<FileSystem, 'constants' | 'openSync' | 'fsyncSync' | 'closeSync'>,
  folder: string,
): void => {
  const { O_RDONLY, O_DIRECTORY } = fs.constants;
  if (O_DIRECTORY === undefined) return;
  try {
    const fd = fs.openSync(folder, O_RDONLY | O_DIRECTORY);
    try {
      syncFile(fs, fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (!failedWith(error, ...UNABLE)) throw error;
  }
};

type DraftDeps = FileDeps & {
  /** Makes a part of a name that nobody else uses. */
  newName: () => string;
  /** Ms since 1970. */
  now: () => number;
};

const ENDING = '.new';
const DRAFT = /\.[0-9a-f]{12}\.new$/;

/** A draft is there for the time of one write to the disk; an older one was left by a crash. */
const CRASHED_MS = 60_000;

/** A new name for the draft of a file, in its folder. `newName` gives twelve hexadecimal digits. */
export const draftOf = ({ newName }: Pick<DraftDeps, 'newName'>, path: string): string =>
  `${path}.${newName()}${ENDING}`;

/** Removes the drafts that a crash left in a folder, if their names start with `beginning`. Never throws: what cannot be removed stays. */
export const dropOldDrafts = (deps: DraftDeps, folder: string, beginning = ''): void => {
  try {
    const drafts = deps.fs.readdirSync(folder).filter((name) => name.startsWith(beginning) && DRAFT.test(name));
    for (const name of drafts) dropIfOld(deps, join(folder, name));
  } catch {
    // they take a few bytes each, and whoever replaces a file next tries again
  }
};

const dropIfOld = ({ fs, now }: DraftDeps, path: string): void => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && now() - found.mtimeMs > CRASHED_MS) fs.rmSync(path, { force: true });
};
