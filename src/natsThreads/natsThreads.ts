/** The thread store that keeps threads on a NATS server, so that any process of a fleet goes on with any of them. */
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
  Subject,
  shareReplay,
  switchMap,
  takeUntil,
} from 'rxjs';
import { type ThreadRecord, type ThreadStart, type ThreadStore, toSessionMeta } from '../rollout';
import type { NatsLink } from '../transport/nats';
import type { LogState } from './appendText';
import { changeLogs } from './changeLogs';
import { findLog } from './findLog';
import { type NatsRecordDeps, natsRecord } from './natsRecord';
import { listLog, readLog } from './readLog';
import { inNats } from './storeFault';
import { openPlace, type ThreadPlace } from './threadPlace';

/** @param connect see `connectNats`; @param address names the store to people; @param name is that of the store, '' for the default; @param version that of this program */
export type NatsThreadsDeps = Omit<NatsRecordDeps, 'within'> & {
  connect: () => Observable<NatsLink>;
  address: string;
  name: string;
  version: string;
};

/** The store of one connection. It connects when it is first used, and stays connected while threads were opened, until it is closed. */
export const natsThreads = (deps: NatsThreadsDeps): ThreadStore => {
  const { within, keepOpen, closed } = connection(deps);
  const recordDeps = { ...deps, within };
  const open = new Set<ThreadRecord>(); // changed in place, as thousands come and go
  const track = (record: ThreadRecord): ThreadRecord => {
    keepOpen();
    open.add(record);
    const close = () => record.close().pipe(finalize(() => open.delete(record)));
    return { ...record, close };
  };
  return {
    begin: (start) => defer(() => begun(recordDeps, start)).pipe(map(track)),
    resume: (ref) =>
      within((place) => findLog(place, ref)).pipe(
        switchMap(({ id }) => {
          const { record, resume } = natsRecord(recordDeps, id);
          return resume().pipe(map((thread) => ({ ...thread, record: track(record) })));
        }),
      ),
    list: ({ skip = 0, limit, archived }) =>
      within(listLog).pipe(map((all) => all.filter((one) => one.archived === archived).slice(skip, skip + limit))),
    read: (ref) =>
      within((place) =>
        findLog(place, ref).pipe(
          switchMap((summary) => readLog(place, summary.id).pipe(map(({ text }) => ({ summary, text })))),
        ),
      ),
    ...changeLogs(recordDeps),
    close: () => concat(merge(...[...open].map((record) => record.close())), closed()),
  };
};

/** The place of threads, connected as long as somebody uses it, or from `keepOpen` until it is closed. */
const connection = ({ connect, address, name, background }: NatsThreadsDeps) => {
  const closed$ = new Subject<void>(); // the wire from the end of the store to its connection
  const place$ = defer(connect).pipe(
    switchMap((link) => openPlace(link, name)),
    inNats(address),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  let isKeptOpen = false;
  const keepOpen = () => {
    if (isKeptOpen) return;
    isKeptOpen = true;
    const keeping$ = place$.pipe(
      ignoreElements(),
      takeUntil(closed$),
      catchError(() => EMPTY), // those who use it get the error
      finalize(() => {
        isKeptOpen = false;
      }),
    );
    background(keeping$);
  };
  const within = <T>(use: (place: ThreadPlace) => Observable<T>): Observable<T> =>
    place$.pipe(
      exhaustMap((place) => use(place).pipe(inNats(address), materialize())),
      dematerialize(),
    );
  const closed = () =>
    defer(() => {
      closed$.next();
      return EMPTY;
    });
  return { within, keepOpen, closed };
};

/** The record of a new thread, which nobody else can know of. */
const begun = (deps: NatsRecordDeps & { version: string }, start: ThreadStart): Observable<ThreadRecord> => {
  const startedMs = deps.now();
  const { record, begin } = natsRecord(deps, start.id);
  record.write({ type: 'session_meta', payload: toSessionMeta(deps, start, startedMs) });
  return begin(firstState(start, startedMs, deps.version)).pipe(map(() => record));
};

const firstState = ({ cwd, provider }: ThreadStart, startedMs: number, cliVersion: string): LogState => ({
  ...{ seq: 0, head: '' },
  facts: {
    ...{ startedMs: toSeconds(startedMs), archived: false, size: 0, cwd, provider, source: 'vscode', cliVersion },
    preview: '',
  },
});

/** As the name of a rollout has it. */
const toSeconds = (ms: number): number => ms - (ms % 1_000);
