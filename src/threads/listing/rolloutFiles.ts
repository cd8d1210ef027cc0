/** The rollouts below the folder of Codex, and their names, which hold when a thread began and its id. */
import { basename, dirname, join, sep } from 'node:path';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { memoize } from '../../streams/lazy';

/** A thread's file. */
export type RolloutFile = RolloutName & { path: string; archived: boolean };

/** Where rollouts are kept. */
export type RolloutPlace = {
  files: PrivateFiles;
  /** The folder of Codex, absolute. */
  home: string;
};

/** The path of a thread. Source: Codex 0.142.0 and 0.169.0, which keep archived threads in one folder. */
export const toRolloutPath = (home: string, thread: RolloutName & { archived: boolean }): string => {
  const { folders, name } = toRolloutName(thread);
  return join(threadFolder(home, thread), ...(thread.archived ? [] : folders), name);
};

/** The folder that threads are below. @param home the folder of Codex */
export const threadFolder = (home: string, { archived }: { archived: boolean }): string =>
  join(home, archived ? 'archived_sessions' : 'sessions');

/**
 * The threads that are not archived, newest first. The folder of a day is read when the walk gets there. Throws FileError.
 * @param after the path of a thread: the walk begins at its folder, with the next older thread
 */
export function* sessionFiles(place: RolloutPlace, after?: string): Generator<RolloutFile> {
  for (const day of dayFolders(place, after)) yield* olderThan(rolloutsIn(place, day, false), after);
}

function* dayFolders({ files, home }: RolloutPlace, after?: string): Generator<string> {
  const isOlder = (folder: string) => after === undefined || folder <= after.slice(0, folder.length);
  const root = threadFolder(home, { archived: false });
  for (const year of foldersIn(files, root).filter(isOlder)) {
    for (const month of foldersIn(files, year).filter(isOlder)) {
      yield* foldersIn(files, month).filter(isOlder);
    }
  }
}

/**
 * Looks for the thread of a whole id in one folder after another: yields undefined for each that lacks it, then the thread, and ends. Only names are
 * compared, which takes a third of reading them. Throws FileError.
 */
export function* searchById(place: RolloutPlace, id: string): Generator<RolloutFile | undefined> {
  const folders = function* () {
    for (const path of dayFolders(place)) yield { path, archived: false };
    yield { path: threadFolder(place.home, { archived: true }), archived: true };
  };
  for (const { path, archived } of folders()) {
    const found = rolloutOf(place, path, id);
    yield found && { ...found, archived };
    if (found) return;
  }
}

/** The thread of a whole id in a folder. Throws FileError. */
export const rolloutOf = (
  { files }: RolloutPlace,
  folder: string,
  id: string,
): (RolloutName & { path: string }) | undefined => {
  const end = `-${id}.jsonl`;
  const found = files.list(folder).find(({ name, isFolder }) => !isFolder && name.toLowerCase().endsWith(end));
  const read = found && readRolloutName(found.name);
  return found && read && { ...read, path: join(folder, found.name) };
};

/** The archived threads, newest first. Throws FileError. @param after as of `sessionFiles` */
export const archivedFiles = (place: RolloutPlace, after?: string): RolloutFile[] =>
  olderThan(rolloutsIn(place, threadFolder(place.home, { archived: true }), true), after);

/** The threads of a folder that come after the thread of this path; all if it is of another folder. */
const olderThan = (all: RolloutFile[], after: string | undefined): RolloutFile[] => {
  const at = all.findIndex(({ path }) => path === after);
  if (at >= 0) return all.slice(at + 1);
  const last = after === undefined ? undefined : readRolloutName(basename(after));
  if (after === undefined || last === undefined || dirname(all[0]?.path ?? '') !== dirname(after)) return all;
  return all.filter((file) => newestFirst(last, file) < 0);
};

/** The order of a list of threads. */
export const newestFirst = (a: RolloutName, b: RolloutName): number =>
  b.startedMs - a.startedMs || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

const foldersIn = (files: PrivateFiles, folder: string): string[] =>
  files
    .list(folder)
    .filter(({ name, isFolder }) => isFolder && /^\d+$/.test(name))
    .map(({ name }) => join(folder, name))
    .sort()
    .reverse();

/** The names hold the second of the start. Of two threads of one second the file that was written last comes first. */
const rolloutsIn = ({ files }: RolloutPlace, folder: string, archived: boolean): RolloutFile[] => {
  const writtenMs = memoize((path) => files.facts(path)?.writtenMs ?? 0);
  return files
    .list(folder)
    .flatMap(({ name, isFolder }) => {
      const read = isFolder ? undefined : readRolloutName(name);
      return read === undefined ? [] : [{ ...read, path: folder + sep + name, archived }];
    })
    .sort((a, b) => b.startedMs - a.startedMs || writtenMs(b.path) - writtenMs(a.path) || newestFirst(a, b));
};

/** What the name of a rollout holds. */
type RolloutName = {
  id: string;
  /** Ms since 1970, with the precision of a second. */
  startedMs: number;
};

const NAME = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-([0-9a-f-]{36})\.jsonl$/i;

/** Reads the name of a file; undefined if it is not the name of a rollout. */
export const readRolloutName = (name: string): RolloutName | undefined => {
  const [, date, hours, minutes, seconds, id] = NAME.exec(name) ?? [];
  if (id === undefined) return undefined;
  const startedMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(startedMs) ? undefined : { id: id.toLowerCase(), startedMs };
};

/**
 * The name of a rollout, and the folders that it is in below `sessions`, such as `['2026', '11', '22']`. Times are UTC.
 * Source: Codex 0.28.0 to 0.169.0, which write the local time.
 */
export const toRolloutName = ({ id, startedMs }: RolloutName): { folders: string[]; name: string } => {
  const time = new Date(startedMs).toISOString().slice(0, 19);
  return { folders: time.slice(0, 10).split('-'), name: `rollout-${time.replaceAll(':', '-')}-${id}.jsonl` };
};
