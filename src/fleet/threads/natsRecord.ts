/** Writes what happens in a thread to its log on the server; this process has the thread from a claim to a rest. */
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  ignoreElements,
  map,
  type Observable,
  of,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import { type LineDeps, numberedLines } from '../../threads/lines/numberedLines';
import { readThread, type StoredThread } from '../../threads/lines/storedThread';
import { ThreadError } from '../../threads/threadError';
import type { ThreadRecord } from '../../threads/threadRecord';
import { appendText, type LogState } from './appendText';
import { drainLines } from './drainLines';
import { leasedSession, type SessionDeps } from './leasedSession';
import { type LeaseHere, leaseOf } from './leaseOf';
import { type LineQueue, lineQueue } from './lineQueue';
import { retakeLog, type TakeDeps, type TakenLog, takeLog } from './takeLog';
import type { ThreadPlace } from './threadPlace';
import { withLease } from './withLease';

/**
 * @param within connects, and runs something at the place of threads; @param background runs a task that no caller waits for
 * @param soon runs a function after the current work
 */
export type NatsRecordDeps = LeaseHere &
  Pick<LineDeps, 'now'> &
  Pick<SessionDeps<ThreadPlace>, 'background'> & {
    within: <T>(use: (place: ThreadPlace) => Observable<T>) => Observable<T>;
    soon: (run: () => void) => void;
  };

/** `begin` and `resume` take the thread, emit once when this process has it, and error with ThreadError. */
export type NatsRecord = {
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
    const thread = threadIn(id, taken.text);
    log.keep(taken.state);
    toLine = numberedLines({ ...deps, nextOrdinal: thread.nextOrdinal });
    if (!taken.text.endsWith('\n')) queue.push(['\n']); // the last line was cut off by a crash
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

/** The session of a thread, in which lines are appended to its log. */
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

type Session = ReturnType<typeof leasedSession<ThreadPlace>>;

/** A thread that was lost is resumed, as another process may have gone on with it. */
const betweenTurns = (
  session: Session,
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

const threadIn = (id: string, text: string): StoredThread => {
  const thread = readThread(text);
  if (thread !== undefined) return { ...thread, id };
  throw new ThreadError(`The thread ${id} cannot be resumed: what the store has of it does not begin as a rollout.`);
};
