/** Wires the executors behind NATS that are configured; loaded by the first environment that names one. */
import { randomUUID } from 'node:crypto';
import {
  BehaviorSubject,
  catchError,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  race,
  Subject,
  share,
  skip,
  switchMap,
  take,
  tap,
  timer,
} from 'rxjs';
import type { ExecutorsWiring } from '../../agent/wiring/wiring';
import type { Backend, Executor, Reached, StoredItem } from '../../executor/backend';
import { type RemoteDeps, remoteBackend } from '../../executor/remote/remoteBackend';
import type { StoredEvents } from '../../executor/remote/sessionItems';
import type { Log } from '../../protocol/log';
import type { FleetEnvironment } from '../../settings/places/readEnvironment';
import type { Backpressure } from '../../streams/backpressure';
import { mapMulti } from '../../streams/gather';
import { memoize } from '../../streams/lazy';
import { inputFirst } from '../../streams/time/limits';
import { NOTHING } from '../executor/busMessages';
import { decodeEvents, EVENTS_HEADER, fromBatch } from '../executor/eventMessage';
import { decodeReport, SESSION_HEADER } from '../executor/member';
import { execSubjects } from '../executor/subjects';
import { natsHere } from '../link/connectNats';
import type { NatsHeaders, NatsLink } from '../link/natsLink';
import { fromToken, lastToken } from '../link/tokens';
import { type NatsRead, readStream } from '../operators/readStream';
import { type FollowInput, followEvents } from './followEvents';
import { type NatsTransportDeps, natsTransport } from './natsTransport';
import { leastLoadedOf, poolBackend } from './poolBackend';

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

type SessionEventsDeps = {
  link$: Observable<NatsLink>;
  executor: string;
  /** While it is full the stream is read no further, and published events are left to the stream. */
  backpressure: Backpressure;
  log: Log;
};

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
              return streamEvents(source)(from).pipe(
                tap((input) => pending$.next('pending' in input ? input.pending : 0)),
              );
            }),
          notes: merge(ending$, sessionNotes(source)),
          isResumed,
          isFull: deps.backpressure.isFull,
        });
      }),
    );
  return { read, untilRead: () => defer(() => untilRead(deps.backpressure, pending$, ending$)) };
};

const untilRead = ({ isFull }: Backpressure, pending$: Observable<number>, ending$: Subject<FollowInput>) => {
  ending$.next({ kind: 'missed' });
  const read$ = pending$.pipe(
    switchMap((pending) => timer(QUIET_MS, inputFirst).pipe(map(() => pending))),
    filter((pending) => pending === 0),
  );
  const stalled$ = pending$.pipe(
    switchMap((pending) => timer(STALLED_MS, inputFirst).pipe(map(() => pending))),
    filter(() => !isFull()),
  );
  return race(read$, stalled$).pipe(take(1));
};

type SourceDeps = {
  link: NatsLink;
  executor: string;
  /** Its id. */
  session: string;
  /** While it is full the stream is read no further. */
  backpressure: Backpressure;
  log: Log;
};

/** How often the executor is asked what is unread: servers of a cluster that lose each other drop published messages silently. */
const REPORT_MS = 2_000;

/** The events of the session as they are published, not from the stream. */
export const publishedEvents = ({ link, executor, session, log }: SourceDeps): Observable<StoredItem> =>
  link.subscribe({ subject: execSubjects(link.prefix).eventsOfSession(executor, session) }).pipe(
    mapMulti((delivery, emit) => {
      const item = toItem(delivery, log);
      if (item !== undefined) emit(item);
    }),
  );

/** Reads the session from the stream. A lost consumer is replaced. What cannot be decoded is logged, and emitted without an item. */
export const streamEvents =
  ({ link, executor, session, backpressure, log }: SourceDeps) =>
  (from: number): Observable<FollowInput> => {
    const subjects = execSubjects(link.prefix);
    const wanted = { stream: subjects.stream(executor), subject: subjects.eventsOfSession(executor, session) };
    return readStream(link)({ ...wanted, from, backpressure }).pipe(
      mapMulti((read: NatsRead, emit: (input: FollowInput) => void) => {
        if (read.kind === 'caughtUp') emit({ kind: 'stored', seq: 0, pending: 0 });
        if (read.kind !== 'message') return;
        const { seq, pending } = read;
        const item = toItem(read, log);
        emit({ kind: 'stored', seq, pending, ...(item !== undefined && { item }) });
      }),
    );
  };

/** What the executor reports of the session every other second, and each loss of the connection. */
export const sessionNotes = ({ link, executor, session }: SourceDeps): Observable<FollowInput> => {
  const subject = execSubjects(link.prefix).status(executor);
  const request = { subject, data: NOTHING, headers: { [SESSION_HEADER]: session }, timeoutMs: REPORT_MS };
  const report$ = timer(REPORT_MS, REPORT_MS).pipe(
    exhaustMap(() => link.request(request).pipe(catchError(() => EMPTY))),
    map(({ data }) => decodeReport(data)),
    filter((report) => report !== undefined),
    map((report): FollowInput => ({ kind: 'report', report })),
  );
  const missed$ = link.state$.pipe(
    skip(1), // the state now
    map((): FollowInput => ({ kind: 'missed' })),
  );
  return merge(report$, missed$);
};

type Message = { subject: string; data: Uint8Array; headers: NatsHeaders };

const toItem = ({ subject, headers, data }: Message, log: Log): StoredItem | undefined => {
  try {
    const batch = decodeEvents(headers[EVENTS_HEADER] ?? '', data);
    return { processId: fromToken(lastToken(subject)), placed: fromBatch(batch) };
  } catch (error) {
    log('warning', 'a message of events cannot be read', { subject, why: (error as Error).message });
    return undefined;
  }
};
