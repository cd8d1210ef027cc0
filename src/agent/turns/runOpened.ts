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
  throwIfEmpty,
  timer,
} from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';
import type { Log } from '../../protocol/log';
import type { Bounds } from '../../settings/bounds';
import type { Awaitable } from '../../streams/awaitable';
import { inputFirst, timeUnpaused, withDeadline } from '../../streams/time/limits';
import type { Asking } from './askInTurn';
import { NOTHING_SPENT, whyOver, withinBounds } from './bounds';
import type { TurnPorts } from './queueTurns';
import { CannotBegin, noThreadText, type Rejection, rejection, rejectionText, reportFault } from './rejection';
import type { ReleaseDeps } from './releaseUnused';
import type { ThreadEntry, ThreadRegistry } from './threadRegistry';
import { closingEventsOf, type TurnEnd, type TurnStop } from './turnEvents';

/** An operation and the entry of its thread. */
export type ThreadTurn<T> = { op: ThreadOp; entry: ThreadEntry<T> };

/** A thread that is open, and the operation that runs on it. */
export type OpenThread<T> = {
  thread: T;
  /** The bounds of the turn; absent if it has none. */
  bounds?: Bounds;
  /** Emits the events of the operation, and ends it when `stop$` emits. An error is a bug, which fails the turn. */
  run: (ports: TurnPorts) => Observable<Event>;
};

/** Which questions keep a turn waiting, and a clock in ms, without jumps. */
type TurnPause = Pick<Asking, 'isAsking'> & { clockMs: () => number };

/** What an engine says about its threads. */
export type ThreadsDeps<T> = {
  /**
   * Opens the thread of a turn, as the first thing the turn does; unsubscribed if the turn is stopped before. Emits once; completes empty if there is
   * no such thread; errors or throws if the call cannot begin. `keep` replaces what the registry knows of the thread.
   */
  open: (turn: ThreadTurn<T>, keep: (thread: T) => void) => Awaitable<OpenThread<T>>;
  /** Releases what the engine holds of an open thread. Completes, and never errors. */
  close?: (thread: T) => Observable<never>;
  /** Threads that are open from the start. */
  stored?: readonly T[];
  /** What becomes of threads without a call; by default they stay. */
  unused?: UnusedThreads<T>;
  /** How long a turn may take, opening its thread included. */
  turnTimeoutMs: number;
  /** When the time of a turn stands still. Default: never. */
  pause?: TurnPause;
  log: Log;
};

/** What is left of an unused thread. */
export type Released<T> =
  /** Its id, if it is the newest. */
  | { kind: 'released' }
  /** The thread in the form in which it is opened again. */
  | { kind: 'unloaded'; thread: T }
  /** All of it, because nothing could open it again. */
  | { kind: 'kept' };

export type UnusedThreads<T> = Omit<ReleaseDeps<T>, 'release'> & {
  /** Frees what an unused thread holds. */
  release: (thread: T) => Released<T>;
};

/** What comes first: the thread is open, the turn is stopped, or it cannot begin. */
type Opening<T> = ({ kind: 'open' } & OpenThread<T>) | { kind: 'stopped'; stop: TurnStop } | Rejection;

/**
 * Runs an operation once its thread is open. Emits its events; the last is `rejected`, `task_complete`, `turn_aborted`, or `done` if the operation
 * is not a turn. Never errors.
 *   open  --o        open  ----        open  --#
 *   run     -t-z     stop  --x         out   --(R|)   (R rejected, with the reason)
 *   out   ---t-(z|)  out   --(S|)                     (S stopped before it began)
 */
export const runOpened =
  <T>(deps: ThreadsDeps<T>, registry: ThreadRegistry<T>) =>
  (turn: ThreadTurn<T>, ports: TurnPorts): Observable<Event> =>
    defer(() => {
      if (turn.op.kind === 'close') return closeThread(deps, registry, turn);
      const stop$ = ports.stop$.pipe(turnDeadline(deps.turnTimeoutMs, isPaused(deps, turn.op)), share());
      const begin = (first: Opening<T>): Observable<Event> => {
        if (first.kind === 'open') return runFirst(turn, runBounded(registry, turn)(first, { ...ports, stop$ }));
        if (turn.entry.thread === undefined) registry.forget(turn.entry);
        return first.kind === 'stopped' ? of(...closingEvents(turn, first.stop)) : of(first);
      };
      const opening = opened(deps, registry, turn);
      if (!isObservable(opening)) return begin(opening);
      const stopped$ = stop$.pipe(map((stop): Opening<T> => ({ kind: 'stopped', stop })));
      // `stop$` is subscribed before the turn runs, because a client may cancel in answer to the first event
      return merge(stopped$, opening).pipe(take(1), mergeMap(begin));
    }).pipe(failOnBug(deps.log, turn));

/** Runs an open thread within its bounds; a thread that has used its tokens runs no turn. */
const runBounded =
  <T>(registry: ThreadRegistry<T>, turn: ThreadTurn<T>) =>
  ({ bounds, run }: OpenThread<T>, ports: TurnPorts): Observable<Event> => {
    const { op, entry } = turn;
    if (op.kind === 'open') return run(ports);
    const over = bounds && whyOver(bounds, { ...NOTHING_SPENT, usage: { thread: entry.used } });
    if (over !== undefined) return of(...closingEvents(turn, { ...over, kind: 'failed' }));
    const used = (thread: ThreadEntry<T>['used']) => registry.count(entry, thread);
    return withinBounds({ bounds, before: entry.used, stop$: ports.stop$, used }, (stop$) => run({ ...ports, stop$ }));
  };

const runFirst = <T>(turn: ThreadTurn<T>, run$: Observable<Event>): Observable<Event> =>
  turn.op.kind === 'open' ? concat(run$, doneOf(turn)) : run$;

/** The last event of an operation that is not a turn, with the id of the thread as it is known then. */
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

/** An error of a turn is a bug, or a limit of this machine: it is logged, and the turn fails. */
const failOnBug = <T>(log: Log, turn: ThreadTurn<T>): MonoTypeOperatorFunction<Event> =>
  catchError((error: Error) => {
    const message = reportFault(log, { what: 'a turn failed', callId: turn.op.callId }, error);
    return of(...closingEvents(turn, { kind: 'failed', message }));
  });

/** The last events of a turn that ends outside its engine: stopped before its thread is open, withdrawn, or failed by a bug. */
export const closingEvents = <T>({ op, entry }: ThreadTurn<T>, end: TurnEnd): Event[] =>
  closingEventsOf({ op, threadId: entry.id ?? '', turnId: '' }, end);

type Paused = Pick<TurnPause, 'clockMs'> & { isPaused$: Observable<boolean> };

const isPaused = <T>({ pause }: ThreadsDeps<T>, { callId, asksByTask }: ThreadOp): Paused | undefined =>
  pause && asksByTask ? { ...pause, isPaused$: pause.isAsking(callId) } : undefined;

/**
 * Passes the stops of a turn that begins now, and emits a stop of its own when the turn has taken too long.
 * A limit longer than a timer can wait counts as the longest possible wait.
 *   in   --x----
 *   out  --x--(E|)    (E expired)
 */
export const turnDeadline = (limitMs: number, paused?: Paused): MonoTypeOperatorFunction<TurnStop> =>
  withDeadline<TurnStop>({
    due$: paused === undefined ? timer(limitMs, inputFirst) : paused.isPaused$.pipe(timeUnpaused(paused, limitMs)),
    last: { kind: 'expired', message: `The turn took longer than ${limitMs / 1000} s and was stopped.` },
  });
