/** One turn, from opening its thread to its last event. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  isObservable,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  share,
  take,
  throwError,
  throwIfEmpty,
} from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';
import type { Log } from '../../protocol/log';
import type { Awaitable } from '../../streams/awaitable';
import { withDeadline } from '../../streams/time/limits';
import { toTimerMs } from '../../streams/time/wait';
import type { TurnPorts } from './queueTurns';
import { CannotBegin, noThreadText, type Rejection, rejection, rejectionText } from './rejection';
import type { ReleaseDeps } from './releaseUnused';
import { reportFault } from './reportFault';
import type { ThreadEntry, ThreadRegistry } from './threadRegistry';
import { closingMsgs, type TurnEnd, type TurnStop } from './turnEnd';
import { turnEvent } from './turnEvent';

/** A call and the entry of its thread. */
export type ThreadTurn<T> = { op: ThreadOp; entry: ThreadEntry<T> };

/**
 * A thread that is open, and the operation that runs on it. `run` emits its events and ends it when `stop$` emits; an error is a bug,
 * which fails the turn. For `open` it emits the events of a thread that is new; `done` follows by itself.
 */
export type OpenThread<T> = { thread: T; run: (ports: TurnPorts) => Observable<Event> };

/**
 * @param open opens the thread of a turn, as the first thing the turn does; where it takes its time, it is unsubscribed when the
 *   turn is stopped. Emits once; completes empty where there is no such thread; errors or throws where the call cannot begin.
 *   `keep` replaces what the registry knows of the thread.
 * @param close releases what the engine holds of a thread that is open; completes, and never errors
 * @param stored threads that are open from the start
 * @param unused what becomes of threads without a call; without it they stay
 * @param turnTimeoutMs how long a turn may take, opening its thread included
 */
export type ThreadsDeps<T> = {
  open: (turn: ThreadTurn<T>, keep: (thread: T) => void) => Awaitable<OpenThread<T>>;
  close?: (thread: T) => Observable<never>;
  stored?: readonly T[];
  unused?: UnusedThreads<T>;
  turnTimeoutMs: number;
  log: Log;
};

/**
 * What is left of an unused thread. `released`: its id, where it is the newest; `unloaded`: the thread as it is opened again; `kept`: all,
 * as nothing could open it again.
 */
export type Released<T> = { kind: 'released' } | { kind: 'unloaded'; thread: T } | { kind: 'kept' };

/** `release` frees what an unused thread holds. */
export type UnusedThreads<T> = Omit<ReleaseDeps<T>, 'release'> & { release: (thread: T) => Released<T> };

/** What comes first: the thread is open, the turn is stopped, or it cannot begin. */
type Opening<T> = ({ kind: 'open' } & OpenThread<T>) | { kind: 'stopped'; stop: TurnStop } | Rejection;

/**
 * Runs a turn once its thread is open. Emits its events; the last is `rejected`, `task_complete` or `turn_aborted`. Never errors.
 * `done` ends an operation that is no turn.
 *   open  --o        open  ----        open  --#
 *   run     -t-z     stop  --x         out   --(R|)   (R rejected, with the reason)
 *   out   ---t-(z|)  out   --(S|)                     (S stopped before it began)
 */
export const runOpened =
  <T>(deps: ThreadsDeps<T>, registry: ThreadRegistry<T>) =>
  (turn: ThreadTurn<T>, ports: TurnPorts): Observable<Event> =>
    defer(() => {
      if (turn.op.kind === 'close') return closeThread(deps, registry, turn);
      const stop$ = ports.stop$.pipe(turnDeadline(deps.turnTimeoutMs), share());
      const begin = (first: Opening<T>): Observable<Event> => {
        if (first.kind === 'open') {
          const run$ = caught(() => first.run({ ...ports, stop$ }));
          return runFirst(turn, run$);
        }
        if (turn.entry.thread === undefined) registry.forget(turn.entry);
        return first.kind === 'stopped' ? of(...closingEvents(turn, first.stop)) : of(first);
      };
      const opening = opened(deps, registry, turn);
      if (!isObservable(opening)) return begin(opening);
      const stopped$ = stop$.pipe(map((stop): Opening<T> => ({ kind: 'stopped', stop })));
      // `stop$` is subscribed before the turn runs, because a client may cancel in answer to the first event
      return merge(stopped$, opening).pipe(take(1), mergeMap(begin));
    }).pipe(failOnBug(deps.log, turn));

const runFirst = <T>(turn: ThreadTurn<T>, run$: Observable<Event>): Observable<Event> =>
  turn.op.kind === 'open' ? concat(run$, doneOf(turn)) : run$;

/** The last event of an operation that is no turn, with the id of the thread as it is known then. */
const doneOf = <T>({ op: { callId }, entry }: ThreadTurn<T>): Observable<Event> =>
  defer(() => of<Event>({ kind: 'done', callId, threadId: entry.id ?? '' }));

/** A thread that was never opened has nothing to release. */
const closeThread = <T>(
  { close }: ThreadsDeps<T>,
  registry: ThreadRegistry<T>,
  turn: ThreadTurn<T>,
): Observable<Event> => {
  const { thread } = turn.entry;
  registry.forget(turn.entry);
  return concat(thread === undefined || close === undefined ? EMPTY : close(thread), doneOf(turn));
};

const opened = <T>(
  { open, log }: ThreadsDeps<T>,
  registry: ThreadRegistry<T>,
  turn: ThreadTurn<T>,
): Awaitable<Opening<T>> => {
  const { op, entry } = turn;
  const begun = (open: OpenThread<T>): Opening<T> => {
    registry.keep(entry, open.thread);
    return { kind: 'open', ...open };
  };
  const rejected = (error: Error) => rejection(op, rejectionText(log, op, error));
  try {
    const opening = open(turn, (thread) => registry.keep(entry, thread));
    if (!isObservable(opening)) return begun(opening);
    return opening.pipe(
      take(1),
      throwIfEmpty(() => new CannotBegin(noThreadText(entry.id === undefined ? op.thread : { id: entry.id }))),
      map(begun),
      catchError((error: Error) => of(rejected(error))),
    );
  } catch (error) {
    return rejected(error as Error);
  }
};

/** A turn that errors has met a bug, or what this machine refuses: it is logged, and the turn fails. */
const failOnBug = <T>(log: Log, turn: ThreadTurn<T>): MonoTypeOperatorFunction<Event> =>
  catchError((error: Error) => {
    const message = reportFault(log, { what: 'a turn failed', callId: turn.op.callId }, error);
    return of(...closingEvents(turn, { kind: 'failed', message }));
  });

/** The last events of a turn that ends outside its engine: stopped before its thread is open, withdrawn, or failed by a bug. */
export const closingEvents = <T>({ op, entry }: ThreadTurn<T>, end: TurnEnd): Event[] =>
  closingMsgs(end).map((msg) => turnEvent({ op, threadId: entry.id ?? '', turnId: '' }, msg));

/** The stream that `make` returns; where it throws, one that errors with that. Unlike `defer` it is one subscription less for each turn. */
export const caught = <T>(make: () => Observable<T>): Observable<T> => {
  try {
    return make();
  } catch (error) {
    return throwError(() => error);
  }
};

/**
 * Passes the stops of a turn that begins now, and emits one of its own when the turn has taken too long.
 * A limit longer than a timer can wait counts as the longest possible wait.
 *   in   --x----
 *   out  --x--(E|)    (E expired)
 */
export const turnDeadline = (limitMs: number): MonoTypeOperatorFunction<TurnStop> =>
  withDeadline<TurnStop>({
    ms: toTimerMs(limitMs),
    last: { kind: 'expired', message: `The turn took longer than ${limitMs / 1000} s and was stopped.` },
  });
