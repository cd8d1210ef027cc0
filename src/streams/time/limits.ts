/** Limits of time: their scheduler, and limits to the first item, to the end, to a fixed end, to the next sign of health, and a limit that pauses. */
import {
  asyncScheduler,
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  endWith,
  identity,
  ignoreElements,
  interval,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  repeat,
  type SchedulerAction,
  type SchedulerLike,
  scan,
  startWith,
  switchMap,
  type Timestamp,
  take,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
  timestamp,
} from 'rxjs';
import type { Backpressure } from '../backpressure';
import { toTimerMs } from './wait';

/** The longest part of a limit of up to a minute, in ms. */
const PART_MS = 1_000;
/** How often the event loop turns, a millisecond each, after the time of a limit is over. What arrived may pass through some pipes and processes. */
const TURNS = 10;

/** How long a part of a limit is, in ms: a quarter or a second; a long limit has 64 parts. */
const partOf = (ms: number): number => Math.max(Math.min(PART_MS, ms / 4), ms / 64);

/**
 * The scheduler of each limit on what others do. Node runs timers before it reads input, so after Ctrl-Z and `fg`, or in a busy moment, a limit would be
 * over before an answer that arrived in time. Here input comes first:
 * - The time is counted in parts. A standstill of the process, however long, counts for one part only.
 * - After the last part the event loop turns some more times, which reads what has arrived.
 *   in                                 ---a
 *   timer(3, inputFirst)               ---(0|)    after a, though the timer was started first
 * Use it as `timer(ms, inputFirst)`, `timeout({ first: ms, scheduler: inputFirst })`, `delay(ms, inputFirst)`; any number is a valid time. It knows
 * no periods. A limit that another machine counts too, such as a lease, must not use it.
 */
export const inputFirst: SchedulerLike = {
  now: () => asyncScheduler.now(),
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T) => {
    const ms = toTimerMs(Math.max(0, delayMs));
    const partMs = partOf(ms);
    return asyncScheduler.schedule<T>(
      function () {
        const goOn = (leftMs: number): void => {
          if (leftMs <= -TURNS) {
            work.call(this, state);
            return;
          }
          const nextMs = leftMs > 0 ? Math.max(0, leftMs - partMs) : leftMs - 1;
          this.add(asyncScheduler.schedule(() => goOn(nextMs), Math.max(0, Math.min(partMs, leftMs))));
        };
        goOn(Math.max(0, ms - partMs));
      },
      Math.min(partMs, ms),
    );
  },
};

type FirstLimit = {
  /** How long to wait for the first item; 0 for no limit. */
  ms: number;
  /** The error of a source that takes longer. */
  toLate: () => Error;
  /** Makes the error of a source that fails. */
  toFailure: (reason: unknown) => Error;
};

/**
 * Errors if the source emits nothing, and does not end, within the time.
 *   in   ----a     (ms 3)
 *   out  ---#
 */
export const failIfLate = <T>(ms: number, toError: () => Error): MonoTypeOperatorFunction<T> =>
  timeout({ first: ms, scheduler: inputFirst, with: () => throwError(toError) });

/**
 * Passes the source. Errors with `toLate` if it has neither emitted nor ended within `ms`, and with what `toFailure` makes of its error.
 *   in   --r-|      in   ----r     in  --#      (ms is 3)
 *   out  --r-|      out  ---L      out --F
 */
export const firstWithin =
  <T>({ ms, toLate, toFailure }: FirstLimit): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(
      catchError((reason) => throwError(() => toFailure(reason))),
      ms === 0 ? identity : timeout({ first: ms, with: () => throwError(toLate), scheduler: inputFirst }),
    );

/**
 * Errors with `toError` if the source has not completed within `ms`, however much it emits; 0 for no limit.
 *   in  -a-a-a-a    (ms is 6)
 *   out -a-a-a#
 */
export const completeWithin = <T>({
  ms,
  toError,
}: {
  ms: number;
  toError: () => Error;
}): MonoTypeOperatorFunction<T> =>
  ms === 0 ? identity : takeUntil(timer(ms, inputFirst).pipe(mergeMap(() => throwError(toError))));

type Deadline<T> = {
  /** Emits when the time is up. */
  due$: Observable<unknown>;
  /** The item that is emitted then. */
  last: T;
};

/**
 * Passes the source until the time is up; then emits `last` and completes, even if the source has completed earlier.
 *   in   -a-|         in   -a-b-c-
 *   due  -----x       due  -----x
 *   out  -a---(L|)    out  -a-b-(L|)
 */
export const withDeadline =
  <T>({ due$, last }: Deadline<T>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    concat(source$, NEVER).pipe(takeUntil(due$), endWith(last));

type Watch<T> = {
  /** Checks the health. Returns after how many ms to check again, or throws. */
  look: () => number;
  /** Is called with each item before it is passed on. */
  note: (item: T) => void;
};

/**
 * Passes the source. Calls `look` on subscription, and again after as many ms as it returned, until the source ends. Errors with what
 * `look` throws.
 *   in   -a-b-c-d     (look returns 4, returns 2, throws)
 *   out  -a-b-c#
 */
export const watchdog =
  <T>({ look, note }: Watch<T>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(tap(note), takeUntil(defer(() => timer(look(), inputFirst)).pipe(repeat(), ignoreElements())));

type Clock = {
  /** Ms since some moment; it never jumps, unlike the time of day. */
  clockMs: () => number;
};

/** The backpressure that pauses the source, and a clock. */
export type PausableTimerDeps = Backpressure & Clock;

type Elapsed = {
  isPaused: boolean;
  /** What is left of the time at `sinceMs`. */
  leftMs: number;
  /** When this was last counted. */
  sinceMs: number;
};

/**
 * Emits once, when the source has run for `ms`, and completes; by `inputFirst`. A source is paused from an element that finds the
 * queue full until the queue drains, just as `pauseWhileFull` pauses a readable.
 *   source  a--b-----      (the queue is full at b, which pauses the source for 3 frames)
 *   drain   ------d--
 *   out     --------(t|)   (of 5 ms: 3 until b, 2 after d)
 */
export const pausableTimer =
  <T>({ isFull, drain$, clockMs }: PausableTimerDeps, ms: number): OperatorFunction<T, 0> =>
  (source$: Observable<T>) =>
    merge(source$.pipe(map(() => isFull())), drain$.pipe(map(() => false))).pipe(timeUnpaused({ clockMs }, ms));

/**
 * Emits once, when `ms` have passed besides the pauses, and completes. The source says when a pause begins (true) and ends (false).
 *   source  --t---f---      (ms is 5)
 *   out     ---------(x|)
 */
export const timeUnpaused =
  ({ clockMs }: Clock, ms: number): OperatorFunction<boolean, 0> =>
  (isPaused$) => {
    const partMs = Math.max(1, partOf(toTimerMs(ms)));
    const count$ = interval(partMs).pipe(
      map(() => false),
      startWith(false),
    ); // each part, so that a standstill is seen
    return isPaused$.pipe(
      startWith(false),
      distinctUntilChanged(),
      switchMap((isPaused) => (isPaused ? of(true) : count$)),
      timestamp({ now: clockMs }),
      scan(turn(partMs), { isPaused: true, leftMs: ms, sinceMs: 0 }),
      distinctUntilChanged((a, b) => a.isPaused === b.isPaused && a.leftMs === b.leftMs), // at 0 the timer runs on
      switchMap(({ isPaused, leftMs }) => (isPaused ? NEVER : timer(leftMs, inputFirst))),
      take(1),
    );
  };

/** A standstill of the process counts for one part. */
const turn =
  (partMs: number) =>
  ({ isPaused: wasPaused, leftMs, sinceMs }: Elapsed, { value, timestamp: nowMs }: Timestamp<boolean>): Elapsed => ({
    isPaused: value,
    leftMs: wasPaused ? leftMs : Math.max(0, leftMs - Math.min(partMs, nowMs - sinceMs)),
    sinceMs: nowMs,
  });
