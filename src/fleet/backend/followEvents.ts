/** The events of a session's processes: as they are published, and from the stream what was missed. */
import {
  BehaviorSubject,
  catchError,
  defer,
  distinctUntilChanged,
  interval,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  switchMap,
  throwError,
} from 'rxjs';
import type { StoredItem } from '../../executor/storedEvent';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { mapAccum, mapMulti } from '../../streams/gather';
import { beginFollowing, type Followed, type FollowInput, type Following, follow } from './reduceFollowing';

/**
 * @param published events from the subject of the session, at most once; errors with `refused` where the login may not subscribe
 * @param stored reads the stream, starting at a sequence, and goes on with new messages
 * @param notes further inputs: reports of the executor, and that something may have been missed
 * @param isResumed whether the session had another client before, whose events are read first
 * @param isFull whether the reader is slow: the stream waits for it, what is published does not
 */
export type FollowDeps = {
  published: Observable<StoredItem>;
  stored: (from: number) => Observable<FollowInput>;
  notes: Observable<FollowInput>;
  isResumed: boolean;
  isFull: () => boolean;
};

/** How long both sources are read at least, where no event arrives. */
const SETTLE_MS = 300;

/**
 * Emits the events of each process in order, each once. A published event is emitted at once, before the stream has stored it: one that
 * the stream refuses is published again. Where an event is missing, or may be, the stream is read to its end, from the first event that
 * nobody acknowledged; then both are read for a moment, so that none is lost in between. If the stream has a hole, it is read again from its beginning,
 * as it may have been recreated; a hole that remains was evicted. Errors with the stream. A login that may not subscribe reads only the stream.
 *   published  -1-2--5- - - -6--7
 *   stored           34-5----6        (begins with the gap before 5, and ends after 6, which both have)
 *   out        -1-2--34-5----6--7
 */
export const followEvents = (deps: FollowDeps): Observable<StoredItem> =>
  defer(() => {
    const begin = beginFollowing(deps);
    const now$ = new BehaviorSubject(begin); // the wire from what was received to what is read next
    const whileIn = (phases: readonly Following['phase'][], source: () => Observable<FollowInput>) =>
      now$.pipe(
        map(({ phase }) => phases.includes(phase)),
        distinctUntilChanged(),
        switchMap((isIn) => (isIn ? source() : NEVER)),
      );
    const stored = () =>
      now$.pipe(
        map(({ start }) => start),
        distinctUntilChanged(),
        switchMap(({ from }) => deps.stored(from)),
      );
    return merge(
      deps.notes,
      whileIn(['published', 'both'], () => deps.published.pipe(toPublished, catchError(denied))),
      whileIn(['stored', 'both'], stored),
      whileIn(['both'], () => interval(SETTLE_MS).pipe(map(() => SETTLED))),
    ).pipe(
      mapAccum(follow(deps.isFull), begin),
      mapMulti(({ item, state }: Followed, emit: (item: StoredItem) => void) => {
        if (item !== undefined) emit(item);
        if (state.phase !== now$.value.phase || state.start !== now$.value.start) now$.next(state);
      }),
    );
  });

const SETTLED: FollowInput = { kind: 'settled' };

const toPublished = map((item: StoredItem): FollowInput => ({ kind: 'published', item }));

const denied = (error: unknown): Observable<FollowInput> =>
  isNatsFailure(error, 'refused') ? of({ kind: 'denied' }) : throwError(() => error);
