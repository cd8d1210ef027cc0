/** The thread store on a NATS server, so that any process of a fleet can continue any thread. Loaded if the configuration names such a store. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  catchError,
  concat,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  finalize,
  ignoreElements,
  map,
  materialize,
  merge,
  type Observable,
  ReplaySubject,
  Subject,
  share,
  shareReplay,
  switchMap,
  takeUntil,
} from 'rxjs';
import type { ThreadsWiring } from '../../agent/wiring/wiring';
import { parseNatsAddress } from '../../io/nats/natsAddress';
import type { ThreadRecord } from '../../threads/threadRecord';
import { type ThreadStart, type ThreadStore, toSessionMeta } from '../../threads/threadStore';
import { natsHere } from '../link/connectNats';
import type { NatsLink } from '../link/natsLink';
import type { LogState } from './appendText';
import { leftLeases } from './lease';
import { type NatsRecordDeps, natsRecord } from './natsRecord';
import { changeLogs, findLog, listLog, threadsAfter } from './readLogs';
import { readLines } from './threadLog';
import { inNats, openPlace, type ThreadPlace } from './threadPlace';

/** The store of one connection. Throws ConfigError if the address cannot be used. */
export const openFleetThreads = (wiring: ThreadsWiring, address: string): ThreadStore => {
  const { processInfo, background = () => {} } = wiring;
  const { shown, name } = parseNatsAddress(address);
  return natsThreads({
    connect: () => natsHere(wiring)(address),
    address: shown,
    name,
    version: processInfo.version,
    background,
    self: { host: hostname(), pid: process.pid, store: randomUUID() },
    newId: randomUUID,
    now: Date.now,
    clockMs: () => performance.now(),
    soon: setImmediate,
  });
};

type NatsThreadsDeps = Omit<NatsRecordDeps, 'within' | 'left'> & {
  /** See `connectNats`. */
  connect: () => Observable<NatsLink>;
  /** Names the store to people. */
  address: string;
  /** Of the store; '' for the default. */
  name: string;
  /** Of this program. */
  version: string;
};

/** The store of one connection. It connects when it is first used, and stays connected while threads were opened, until it is closed. */
export const natsThreads = (deps: NatsThreadsDeps): ThreadStore => {
  const { address, name } = deps;
  const place = storeConnection<ThreadPlace>({
    place$: defer(deps.connect).pipe(
      switchMap((link) => openPlace(link, name)),
      inNats(address),
    ),
    background: deps.background,
  });
  const within: NatsRecordDeps['within'] = (use) => place.within((at) => use(at).pipe(inNats(address)));
  const recordDeps = { ...deps, within, left: leftLeases() };
  const { track, close } = openRecords(deps, place);
  return {
    begin: (start) => defer(() => begun(recordDeps, start)).pipe(map(track)),
    resume: (ref) =>
      within((at) => findLog(at, ref)).pipe(
        switchMap(({ id }) => {
          const { record, resume } = natsRecord(recordDeps, id);
          return resume().pipe(map((thread) => ({ ...thread, record: track(record) })));
        }),
      ),
    ...readLogs(within),
    ...changeLogs(recordDeps),
    close,
  };
};

/** The records that are open; a set that is changed in place, as thousands come and go. */
const openRecords = ({ background }: NatsThreadsDeps, { keepOpen, closed }: StoreConnection<ThreadPlace>) => {
  const open = new Set<ThreadRecord>();
  const track = (record: ThreadRecord): ThreadRecord => {
    keepOpen();
    open.add(record);
    const close = () => {
      open.delete(record);
      return record.close();
    };
    return { ...record, close };
  };
  const close = () => {
    const closing$ = concat(merge(...[...open].map((record) => record.close())), closed()).pipe(
      share({ connector: () => new ReplaySubject<never>(), resetOnComplete: false }),
    );
    background(closing$);
    return closing$;
  };
  return { track, close };
};

const readLogs = (within: NatsRecordDeps['within']): Pick<ThreadStore, 'list' | 'read'> => ({
  list: ({ after, limit, archived }) =>
    within(listLog).pipe(
      map((all) =>
        threadsAfter(all, after)
          .filter((one) => one.archived === archived)
          .slice(0, limit),
      ),
    ),
  read: (ref) =>
    within((place) =>
      findLog(place, ref).pipe(
        switchMap((summary) => readLines(place, summary.id).pipe(map((lines) => ({ summary, lines })))),
      ),
    ),
});

/** The record of a new thread, which nobody else can know of. */
const begun = (deps: NatsRecordDeps & { version: string }, start: ThreadStart): Observable<ThreadRecord> => {
  const startedMs = deps.now();
  const { record, begin } = natsRecord(deps, start.id);
  record.write({ type: 'session_meta', payload: toSessionMeta(deps, start, startedMs) });
  return begin(firstState(start, startedMs, deps.version)).pipe(map(() => record));
};

const firstState = ({ cwd, provider }: ThreadStart, startedMs: number, cliVersion: string): LogState => ({
  seq: 0,
  head: '',
  facts: {
    startedMs: startedMs - (startedMs % 1_000), // as in the name of a rollout
    archived: false,
    size: 0,
    cwd,
    provider,
    source: 'vscode',
    cliVersion,
    preview: '',
  },
});

type StoreConnectionDeps<P> = {
  /** Emits the place of threads once it is connected, and does not complete. After an error the next use connects again. */
  place$: Observable<P>;
  background: (task$: Observable<never>) => void;
};

type StoreConnection<P> = {
  /** Runs something there; emits, completes and errors as it does, or errors with the connection. */
  within: <T>(use: (place: P) => Observable<T>) => Observable<T>;
  /** Stays connected until `closed` is subscribed; without it the connection lasts as long as somebody uses it. */
  keepOpen: () => void;
  /** Completes at once. */
  closed: () => Observable<never>;
};

/** One connection for all that use it at a time. */
export const storeConnection = <P>({ place$: connected$, background }: StoreConnectionDeps<P>): StoreConnection<P> => {
  const closed$ = new Subject<void>(); // the wire from the end of the store to its connection
  const place$ = connected$.pipe(shareReplay({ bufferSize: 1, refCount: true }));
  let isKept = false;
  const keepOpen = () => {
    if (isKept) return;
    isKept = true;
    const end = () => {
      isKept = false;
    };
    background(
      place$.pipe(
        ignoreElements(),
        takeUntil(closed$),
        catchError(() => EMPTY), // those who use it get the error
        finalize(end),
      ),
    );
  };
  const within = <T>(use: (place: P) => Observable<T>): Observable<T> =>
    place$.pipe(
      exhaustMap((place) => use(place).pipe(materialize())),
      dematerialize(),
    );
  const close = () => {
    closed$.next();
    return EMPTY;
  };
  return { within, keepOpen, closed: () => defer(close) };
};
