/** What a person does to threads on a server: fork, archive, restore, remove. */
import { defer, EMPTY, last, map, type Observable, switchMap, throwError, throwIfEmpty } from 'rxjs';
import { forkText } from '../../threads/forkText';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { NotArchivedError, ThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';
import { appendText, type LogState } from './appendText';
import { leaseOf } from './lease';
import type { NatsRecordDeps } from './natsRecord';
import { factsAt, findLog, readLog, toSummary } from './readLogs';
import type { ThreadPlace } from './threadPlace';
import { withLease } from './withLease';

type ChangeDeps = Pick<NatsRecordDeps, 'within' | 'self' | 'left' | 'newId' | 'clockMs' | 'now'>;
type Act = (place: ThreadPlace, thread: ThreadSummary) => Observable<ThreadSummary>;

/** Each holds the lease of the thread that it changes; `fork` changes none. */
export const changeLogs = (deps: ChangeDeps): Pick<ThreadStore, 'fork' | 'archive' | 'restore' | 'remove'> => {
  const change = (act: Act) => (ref: string) =>
    deps.within((place) =>
      findLog(place, ref).pipe(
        switchMap(({ id }) => {
          const acting$ = findLog(place, id).pipe(switchMap((thread) => act(place, thread)));
          return withLease(leaseOf(deps, place, id))(acting$).pipe(last()); // once the lease is released
        }),
      ),
    );
  return {
    fork: (ref, id) =>
      deps.within((place) => findLog(place, ref).pipe(switchMap((from) => fork(deps, place, { from, id })))),
    archive: change((place, thread) => mark(deps, place, { ...thread, archived: true })),
    restore: change((place, thread) =>
      thread.archived
        ? mark(deps, place, { ...thread, archived: false })
        : throwError(() => new NotArchivedError(thread.id)),
    ),
    remove: change(({ link, stream, subjectOf }, thread) =>
      link.purge({ stream, subject: subjectOf(thread.id) }).pipe(map(() => thread)),
    ),
  };
};

/** Appends the changed summary, without lines. */
const mark = (deps: ChangeDeps, place: ThreadPlace, thread: ThreadSummary): Observable<ThreadSummary> => {
  const { id, archived } = thread;
  return place.link.lastOf(place.stream, place.subjectOf(id)).pipe(
    switchMap((stored) => {
      if (stored === undefined) return EMPTY;
      return factsAt(place, id, stored).pipe(
        map(({ facts }): LogState => ({ seq: stored.seq, facts: { ...facts, archived }, head: '' })),
      );
    }),
    throwIfEmpty(() => new ThreadError(`The thread ${id} was removed.`)),
    switchMap((state) => appendText({ ...deps, place, id }, state, '')),
    map(() => thread),
  );
};

/** A thread of the same lines under an id of its own. */
const fork = (
  deps: ChangeDeps,
  place: ThreadPlace,
  { from, id }: { from: ThreadSummary; id: string },
): Observable<ThreadSummary> =>
  readLog(place, from.id).pipe(
    switchMap(({ text }) =>
      defer(() => {
        const startedMs = deps.now() - (deps.now() % 1_000);
        const facts = { ...from, startedMs, archived: false, size: 0, preview: '' };
        const forked = forkText(text, { id, startedMs, from });
        return appendText({ ...deps, place, id }, { seq: 0, facts, head: '' }, forked).pipe(
          last(),
          map(({ facts }) => toSummary(place, id, { facts, writtenMs: deps.now() })),
        );
      }),
    ),
  );
