/** The rollouts below the folder of Codex, and their names, which hold when a thread began and its id. */
import { join } from 'node:path';
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

/** The threads that are not archived, newest first. The folder of a day is read when the walk gets there. Throws FileError. */
export function* sessionFiles({ files, home }: RolloutPlace): Generator<RolloutFile> {
  const root = threadFolder(home, { archived: false });
  for (const year of foldersIn(files, root)) {
    for (const month of foldersIn(files, year)) {
      for (const day of foldersIn(files, month)) yield* rolloutsIn({ files, home }, day, false);
    }
  }
}

/** The archived threads, newest first. Throws FileError. */
export const archivedFiles = (place: RolloutPlace): RolloutFile[] =>
  rolloutsIn(place, threadFolder(place.home, { archived: true }), true);

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
      return read === undefined ? [] : [{ ...read, path: join(folder, name), archived }];
    })
    .sort((a, b) => b.startedMs - a.startedMs || writtenMs(b.path) - writtenMs(a.path) || (a.id < b.id ? 1 : -1));
};

/** What the name of a rollout holds. */
export type RolloutName = {
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
