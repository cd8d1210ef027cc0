/** The events of a session's processes, as their executor publishes them and as its stream has them. */
import {
  BehaviorSubject,
  debounceTime,
  defer,
  filter,
  merge,
  type Observable,
  race,
  Subject,
  switchMap,
  take,
  tap,
} from 'rxjs';
import type { StoredEvents } from '../../executor/remote/sessionItems';
import type { Log } from '../../protocol/log';
import type { Backpressure } from '../../streams/backpressure/backpressure';
import type { NatsLink } from '../link/natsLink';
import { publishedEvents, sessionNotes, streamEvents } from './eventSources';
import { followEvents } from './followEvents';
import type { FollowInput } from './reduceFollowing';

/** @param backpressure while it is full the stream is read no further, and published events are left to the stream */
export type SessionEventsDeps = { link$: Observable<NatsLink>; executor: string; backpressure: Backpressure; log: Log };

/** A stream that delivers nothing for this long to a reader that is ready is lost. */
const STALLED_MS = 60_000;
/** How long a stream that was read to its end is watched: what an executor sent last may still be on its way. */
const QUIET_MS = 300;

/** The events of one session at a time. `untilRead` waits for the end of the stream, whatever was published before. */
export const sessionEvents = ({ link$, ...deps }: SessionEventsDeps): StoredEvents => {
  const pending$ = new BehaviorSubject(0); // the wire from the reader of the stream to `untilRead`
  const ending$ = new Subject<FollowInput>(); // the wire from `untilRead` to the reader
  const read: StoredEvents['read'] = ({ sessionId: session, isResumed }) =>
    link$.pipe(
      switchMap((link) => {
        const source = { ...deps, link, session };
        return followEvents({
          published: publishedEvents(source),
          stored: (from) =>
            defer(() => {
              pending$.next(1); // until it is known
              return streamEvents(source)(from).pipe(tap((input) => pending$.next(pendingOf(input))));
            }),
          notes: merge(ending$, sessionNotes(source)),
          isResumed,
          isFull: deps.backpressure.isFull,
        });
      }),
    );
  return { read, untilRead: () => defer(() => untilRead(deps.backpressure, pending$, ending$)) };
};

const pendingOf = (input: FollowInput): number => ('pending' in input ? input.pending : 0);

const untilRead = ({ isFull }: Backpressure, pending$: Observable<number>, ending$: Subject<FollowInput>) => {
  ending$.next({ kind: 'missed' });
  const read$ = pending$.pipe(
    debounceTime(QUIET_MS),
    filter((pending) => pending === 0),
  );
  const stalled$ = pending$.pipe(
    debounceTime(STALLED_MS),
    filter(() => !isFull()),
  );
  return race(read$, stalled$).pipe(take(1));
};
