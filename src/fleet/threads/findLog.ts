/** Finds the thread that an id, or the beginning of one, means. */
import { defaultIfEmpty, EMPTY, map, type Observable, of, switchMap } from 'rxjs';
import { toUuid } from '../../protocol/codex/toUuid';
import { pickThread } from '../../threads/listing/pickThread';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { listLog, toSummary } from './listLog';
import { factsAt } from './readLog';
import type { ThreadPlace } from './threadPlace';

const WHOLE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Emits the thread once; reads all threads only where `ref` is not the whole id of one. Errors with ThreadError where none or several match. */
export const findLog = (place: ThreadPlace, ref: string): Observable<ThreadSummary> => {
  const id = toUuid(ref).toLowerCase();
  const picked$ = listLog(place).pipe(map((all) => pickThread(ref, all)));
  if (!WHOLE.test(id)) return picked$;
  return place.link.lastOf(place.stream, place.subjectOf(id)).pipe(
    switchMap((last) => (last === undefined ? EMPTY : factsAt(place, id, last))),
    map((known) => toSummary(place, id, known)),
    defaultIfEmpty(undefined),
    switchMap((found) => (found === undefined ? picked$ : of(found))),
  );
};
