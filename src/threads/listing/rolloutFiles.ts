/** Finds the rollouts below the folder of Codex. */
import { join } from 'node:path';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { type RolloutName, readRolloutName, toRolloutName } from './rolloutName';

/** Where a thread is kept. */
export type RolloutFile = RolloutName & { path: string; archived: boolean };

/** @param home the folder of Codex, absolute */
export type RolloutPlace = { files: PrivateFiles; home: string };

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

const rolloutsIn = ({ files }: RolloutPlace, folder: string, archived: boolean): RolloutFile[] =>
  files
    .list(folder)
    .flatMap(({ name, isFolder }) => {
      const read = isFolder ? undefined : readRolloutName(name);
      return read === undefined ? [] : [{ ...read, path: join(folder, name), archived }];
    })
    .sort((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? 1 : -1));
