/** Wires the executors behind NATS that are configured; loaded by the first environment that names one. */
import { randomUUID } from 'node:crypto';
import {
  BehaviorSubject,
  debounceTime,
  defer,
  filter,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  race,
  Subject,
  share,
  switchMap,
  take,
  tap,
  timer,
} from 'rxjs';
import type { ExecutorsWiring } from '../../agent/wiring/wiring';
import type { Backend, Executor } from '../../executor/backend';
import type { Reached } from '../../executor/executorsPort';
import { type RemoteDeps, remoteBackend } from '../../executor/remote/remoteBackend';
import type { StoredEvents } from '../../executor/remote/sessionItems';
import type { Log } from '../../protocol/log';
import type { FleetEnvironment } from '../../settings/places/readEnvironment';
import type { Backpressure } from '../../streams/backpressure';
import { memoize } from '../../streams/lazy';
import { natsHere } from '../link/natsHere';
import type { NatsLink } from '../link/natsLink';
import { publishedEvents, sessionNotes, streamEvents } from './eventSources';
import { followEvents } from './followEvents';
import { type NatsTransportDeps, natsTransport } from './natsTransport';
import { leastLoadedOf, poolBackend } from './poolBackend';
import type { FollowInput } from './reduceFollowing';

const CLIENT = 'codex-rx';
/** How long a connection without processes is kept. */
const IDLE_MS = 60_000;

/** Executors by their address and name; environments share connections and executors. */
export const executorsInFleet = (wiring: ExecutorsWiring) => {
  const { log, backpressure, over$ } = wiring;
  const linkTo = memoize((address: string) => shared(natsHere(wiring)(address)));
  const executorAt = memoize((address: string) =>
    memoize((executor: string) =>
      natsBackend({
        link$: linkTo(address),
        executor,
        newId: randomUUID,
        clientName: CLIENT,
        log,
        backpressure,
        over$,
        clockMs: () => performance.now(),
      }),
    ),
  );
  return {
    backendOf: ({ url, ...target }: FleetEnvironment): Backend =>
      'executor' in target
        ? executorAt(url)(target.executor)
        : poolBackend({ link$: linkTo(url), pool: target.pool, backendOf: executorAt(url) }),
    reach: ({ url, ...target }: FleetEnvironment, member: string | undefined): Observable<Reached> => {
      if ('executor' in target) return of({ executor: executorAt(url)(target.executor) });
      const member$ = member === undefined ? leastLoadedOf(linkTo(url), target.pool) : of(member);
      return member$.pipe(map((name) => ({ executor: executorAt(url)(name), member: name })));
    },
  };
};

const shared = (link$: Observable<NatsLink>): Observable<NatsLink> =>
  link$.pipe(share({ connector: () => new ReplaySubject<NatsLink>(1), resetOnRefCountZero: () => timer(IDLE_MS) }));

/** @param link$ emits the connection to NATS; subscribed for the session, and for its events */
type NatsBackendDeps = NatsTransportDeps &
  SessionEventsDeps &
  Pick<RemoteDeps, 'clientName' | 'clockMs' | 'idleMs' | 'over$'>;

/** Shorter than one attempt, which looks for the executor for some seconds: so there is only one, and processes fail within 10 s of the executor's end. */
const RECONNECT_MS = 5_000;

/**
 * One executor by its name. Events of processes are read from its stream, so a lost connection, at either end, loses none: reading goes
 * on at the next connection. When the executor is gone, its processes fail after the events that the stream still has.
 */
export const natsBackend = ({ link$, executor, newId, backpressure, ...deps }: NatsBackendDeps): Executor =>
  remoteBackend({
    ...deps,
    transport: natsTransport({ link$, executor, newId }),
    stored: sessionEvents({ link$, executor, backpressure, log: deps.log }),
    reconnectForMs: RECONNECT_MS,
  });

/** @param backpressure while it is full the stream is read no further, and published events are left to the stream */
type SessionEventsDeps = { link$: Observable<NatsLink>; executor: string; backpressure: Backpressure; log: Log };

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
