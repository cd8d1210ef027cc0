/** Finds the rollout of a thread. */
import { join } from 'node:path';
import { defer, last, map, type Observable, of, scan } from 'rxjs';
import { toUuid } from '../../protocol/codex/toUuid';
import { inTurns } from '../../streams/inTurns';
import { NOTHING_FOUND, picked, searchFor } from './pickThread';
import {
  archivedFiles,
  type RolloutFile,
  type RolloutPlace,
  readRolloutName,
  sessionFiles,
  threadFolder,
  toRolloutName,
} from './rolloutFiles';

/** Where threads are found. */
export type FindPlace = RolloutPlace & {
  /** Why no thread can be kept, with the remedy; undefined if threads are kept. */
  whyNotKept?: () => string | undefined;
};

/** A server that keeps no threads loses them when it ends. */
const lostSince = (reason: string | undefined): string[] =>
  reason === undefined ? [] : [`Threads are not kept on disk, so none outlives its server: ${reason}.`];

/** Names that are read in one turn of the event loop. */
const AT_ONCE = 1_000;

/**
 * Emits the one thread that `pickThread` picks. A whole id that holds a time is looked for in the folders of that day first; otherwise folders are read
 * in turns of the event loop, until a thread with exactly that id is found. Errors with ThreadError or FileError.
 */
export const findRollout = (place: FindPlace, ref: string): Observable<RolloutFile> =>
  defer(() => {
    const id = toUuid(ref).toLowerCase();
    const dated = findByDate(place, id);
    if (dated !== undefined) return of(dated);
    return inTurns(filesUntil(place, id), AT_ONCE).pipe(
      scan(searchFor<RolloutFile>(ref), NOTHING_FOUND),
      last(),
      map((search) => picked(ref, search, () => lostSince(place.whyNotKept?.()))),
    );
  });

function* filesUntil(place: RolloutPlace, id: string): Generator<RolloutFile> {
  for (const file of sessionFiles(place)) {
    yield file;
    if (file.id === id) return;
  }
  yield* archivedFiles(place);
}

/** A UUID of version 7: its first 48 bits are ms since 1970. */
const DATED = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
const DAY_MS = 86_400_000;

/** Folders are named after the day of the local time of the program that made them, so the days around that of UTC count too. */
const findByDate = ({ files, home }: RolloutPlace, id: string): RolloutFile | undefined => {
  if (!DATED.test(id)) return undefined;
  const atMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  for (const startedMs of [atMs, atMs - DAY_MS, atMs + DAY_MS].filter((ms) => ms >= 0)) {
    const folder = join(threadFolder(home, { archived: false }), ...toRolloutName({ id, startedMs }).folders);
    const found = files
      .list(folder)
      .find(({ name, isFolder }) => !isFolder && name.toLowerCase().endsWith(`-${id}.jsonl`));
    const read = found && readRolloutName(found.name);
    if (found && read) return { ...read, path: join(folder, found.name), archived: false };
  }
  return undefined;
};
