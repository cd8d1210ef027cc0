/** Finds the rollout of a thread. */
import { join } from 'node:path';
import { concatMap, defer, first, last, map, type Observable, of, scan, take } from 'rxjs';
import { isUuid, toUuid } from '../../protocol/codex/toUuid';
import { inTurns } from '../../streams/inTurns';
import { NOTHING_FOUND, picked, searchFor } from './pickThread';
import {
  archivedFiles,
  type RolloutFile,
  type RolloutPlace,
  rolloutOf,
  searchById,
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
/** Folders whose names are compared with an id in one turn; one has the threads of a day. */
const FOLDERS_AT_ONCE = 10;

/**
 * Emits the one thread that `pickThread` picks. A whole id that holds a time is looked for in the folders of that day first; otherwise folders are read
 * in turns of the event loop. The hints of the error for a whole id are from the newest threads. Errors with ThreadError or FileError.
 */
export const findRollout = (place: FindPlace, ref: string): Observable<RolloutFile> =>
  defer(() => {
    const id = toUuid(ref).toLowerCase();
    if (!isUuid(id)) return pick(place, ref, inTurns(allFiles(place), AT_ONCE));
    const dated = findByDate(place, id);
    if (dated !== undefined) return of(dated);
    return inTurns(searchById(place, id), FOLDERS_AT_ONCE).pipe(
      map((found) => found.at(-1)),
      first((found) => found !== undefined, undefined),
      concatMap((found) => (found ? of(found) : pick(place, ref, inTurns(allFiles(place), AT_ONCE).pipe(take(1))))),
    );
  });

const pick = (place: FindPlace, ref: string, files$: Observable<RolloutFile[]>): Observable<RolloutFile> =>
  files$.pipe(
    scan(searchFor<RolloutFile>(ref), NOTHING_FOUND),
    last(),
    map((search) => picked(ref, search, () => lostSince(place.whyNotKept?.()))),
  );

function* allFiles(place: RolloutPlace): Generator<RolloutFile> {
  yield* sessionFiles(place);
  yield* archivedFiles(place);
}

/** A UUID of version 7: its first 48 bits are ms since 1970. */
const DATED = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
const DAY_MS = 86_400_000;

/** Folders are named after the day of the local time of the program that made them, so the days around that of UTC count too. */
const findByDate = (place: RolloutPlace, id: string): RolloutFile | undefined => {
  if (!DATED.test(id)) return undefined;
  const atMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  for (const startedMs of [atMs, atMs - DAY_MS, atMs + DAY_MS].filter((ms) => ms >= 0)) {
    const { folders } = toRolloutName({ id, startedMs });
    const found = rolloutOf(place, join(threadFolder(place.home, { archived: false }), ...folders), id);
    if (found) return { ...found, archived: false };
  }
  return undefined;
};
