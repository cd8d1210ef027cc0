/** Writes what happens in a thread to its log on the server; this process has the thread from a claim to a rest. */
import {
  BehaviorSubject,
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  type Observable,
  type OperatorFunction,
  of,
  retry,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { type ReadLines, type StoredThread, toThread } from '../../threads/lines/storedThread';
import { ThreadError } from '../../threads/threadError';
import { numberedLines, type ThreadRecord } from '../../threads/threadRecord';
import { type AppendDeps, appendText, type LogState } from './appendText';
import { FencedOff, leaseOf } from './lease';
import type { ChangeDeps } from './readLogs';
import { readLog, type ThreadLog } from './threadLog';
import type { ThreadPlace } from './threadPlace';
import { leasedSession, type SessionDeps, withLease } from './withLease';

export type NatsRecordDeps = ChangeDeps &
  Pick<SessionDeps<ThreadPlace>, 'background'> & {
    /** Runs a function after the current work. */
    soon: (run: () => void) => void;
  };

/** `begin` and `resume` take the thread, emit once when this process has it, and error with ThreadError. */
type NatsRecord = {
  record: ThreadRecord;
  begin: (state: LogState) => Observable<unknown>;
  resume: () => Observable<StoredThread>;
};

/** The record of one thread, whose lease is not taken yet. `write` is called and returns at once, so the next ordinal is in a variable. */
export const natsRecord = (deps: NatsRecordDeps, id: string): NatsRecord => {
  const queue = lineQueue(deps);
  const { log, session, atPlace } = loggedSession(deps, id, queue);
  let toLine = numberedLines(deps);
  const opened = (taken: TakenLog): StoredThread => {
    const thread = threadIn(id, taken.lines);
    log.keep(taken.state);
    toLine = numberedLines({ ...deps, nextOrdinal: thread.nextOrdinal });
    if (!taken.isWhole) queue.push(['\n']); // the last line was cut off by a crash
    return thread;
  };
  return {
    begin: (state) => session.begin(() => of(state).pipe(tap(log.keep))).pipe(take(1)),
    resume: () => session.begin((place) => takeLog(atPlace(place)).pipe(map(opened))).pipe(take(1)),
    record: {
      ...betweenTurns(session, () => session.begin((place) => log.retaken(atPlace(place)))),
      write: (...entries) => queue.push(entries.map(toLine)),
      endTurn: () => {
        const saved$ = queue.allSaved().pipe(takeUntil(session.lost$));
        queue.flush();
        return session.kind() === 'resting' ? EMPTY : saved$;
      },
      isKept: () => log.isKept(),
    },
  };
};

const loggedSession = (deps: NatsRecordDeps, id: string, queue: LineQueue) => {
  const log = keptLog();
  const atPlace = (place: ThreadPlace) => ({ ...deps, place, id });
  const append = (place: ThreadPlace) => (text: string) =>
    concat(log.appended(atPlace(place), text), defer(queue.saved));
  const session = leasedSession<ThreadPlace>({
    background: deps.background,
    leased: (run) => deps.within((place) => withLease(leaseOf(deps, place, id))(defer(() => run(place)))),
    work: (place, end$) => queue.flush$.pipe(drainLines({ take: queue.take, append: append(place), end$ })),
  });
  return { log, session, atPlace };
};

/** What is known of the log, from when the thread is opened; in a variable, as `isKept` is asked at any time. */
const keptLog = () => {
  let log: LogState | undefined;
  const keep = (state: LogState) => {
    log = state;
  };
  return {
    keep,
    isKept: () => log !== undefined && log.seq > 0,
    appended: (deps: TakeDeps, text: string): Observable<never> =>
      log === undefined ? EMPTY : appendText(deps, log, text).pipe(tap(keep), ignoreElements()),
    retaken: (deps: TakeDeps): Observable<LogState> =>
      log === undefined ? EMPTY : retakeLog(deps, log).pipe(tap(keep)),
  };
};

/** A thread that was lost is resumed, as another process may have gone on with it. */
const betweenTurns = (
  session: ReturnType<typeof leasedSession<ThreadPlace>>,
  claim: () => Observable<unknown>,
): Pick<ThreadRecord, 'claim' | 'rest' | 'lost$' | 'close'> => ({
  claim: () => {
    if (session.kind() === 'leased') return of('current');
    if (session.kind() === 'lost') return of('stale');
    return claim().pipe(
      take(1),
      map(() => 'current' as const),
      defaultIfEmpty('stale' as const),
    );
  },
  rest: session.end,
  lost$: session.lost$,
  close: () => session.end().pipe(catchError(() => EMPTY)),
});

const threadIn = (id: string, lines: ReadLines): StoredThread => {
  const thread = toThread(lines);
  if (thread !== undefined) return { ...thread, id };
  throw new ThreadError(`The thread ${id} cannot be resumed: what the store has of it does not begin as a rollout`);
};

type DrainDeps = { take: () => string; append: (text: string) => Observable<never>; end$: Observable<unknown> };

/**
 * Lines that come during an append are one text of the next. Emits nothing; completes when nothing waits after the end, also if the source never
 * completes. Errors with `append`.
 *   flush  a-bc---d-----      (a append takes three frames)
 *   end    ---------x---
 *   append (a--)(bc-)(d--)
 *   out    ----------|
 */
export const drainLines =
  ({ take, append, end$ }: DrainDeps): OperatorFunction<unknown, never> =>
  (flush$) => {
    const drain$: Observable<never> = defer(() => {
      const text = take();
      return text === '' ? EMPTY : concat(append(text), drain$);
    });
    return concat(
      flush$.pipe(
        takeUntil(end$),
        exhaustMap(() => drain$),
      ),
      drain$,
    );
  };

type TakenLog = Pick<ThreadLog, 'lines' | 'isWhole'> & { state: LogState };

type TakeDeps = AppendDeps & { place: ThreadPlace };

/** How often to try again: a previous holder may write to the thread until it is fenced off. */
const TRIES = 5;
const AGAIN_MS = 200;

/** Reads the whole log and appends that this process has the thread; the server then refuses previous holders. Errors with ThreadError. */
export const takeLog = (deps: TakeDeps): Observable<TakenLog> =>
  readLog(deps.place, deps.id).pipe(
    switchMap(({ lines, isWhole, head, seq, known }) => {
      if (known === undefined) return throwError(() => new ThreadError(`The thread ${deps.id} was removed`));
      const { facts } = known;
      const before = { seq, facts, head: facts.preview === '' ? head : '' };
      return appendText(deps, before, '').pipe(map((state) => ({ lines, isWhole, state })));
    }),
    retry({ count: TRIES, delay: (error) => (error instanceof FencedOff ? timer(AGAIN_MS) : throwError(() => error)) }),
  );

/** As `takeLog`, of a log that this process has read: nothing is read again. Completes empty if another process wrote to it since. */
export const retakeLog = (deps: TakeDeps, state: LogState): Observable<LogState> =>
  appendText(deps, state, '').pipe(
    catchError((error: unknown) => (error instanceof FencedOff ? EMPTY : throwError(() => error))),
  );

type LineQueue = {
  push: (lines: readonly string[]) => void;
  flush: () => void;
  take: () => string;
  saved: () => Observable<never>;
  allSaved: () => Observable<never>;
  flush$: Observable<void>;
};

export const lineQueue = ({ soon }: { soon: (run: () => void) => void }): LineQueue => {
  const flush$ = new Subject<void>(); // the wire from lines that wait to their append
  const saved$ = new BehaviorSubject(0); // the wire from appends to the ends of turns: how many lines are appended
  let pushed = 0; // how many lines
  let taken = 0;
  let waiting = '';
  let isAsked = false; // until the next flush
  const flush = () => {
    isAsked = false;
    flush$.next();
  };
  const push = (lines: readonly string[]) => {
    if (!isAsked) soon(flush);
    isAsked = true;
    waiting += lines.join('');
    pushed += lines.length;
  };
  const takeAll = () => {
    const text = waiting;
    waiting = '';
    taken = pushed;
    return text;
  };
  const saved = () => {
    saved$.next(taken);
    return EMPTY;
  };
  return { push, flush, take: takeAll, saved, allSaved: () => reaching(saved$, pushed), flush$ };
};

const reaching = (count$: Observable<number>, due: number): Observable<never> =>
  count$.pipe(
    filter((count) => count >= due),
    take(1),
    ignoreElements(),
  );
