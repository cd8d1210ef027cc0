/** Limits of time: to the first item, to the end, to a fixed end, to the next sign of health, and a timer that pauses with its source. */
import {
  catchError,
  concat,
  defer,
  distinctUntilChanged,
  endWith,
  identity,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  repeat,
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

export type FirstLimit = {
  /** How long to wait for the first item; 0 for no limit. */
  ms: number;
  /** The error of a source that takes longer. */
  toLate: () => Error;
  /** Makes the error of a source that fails. */
  toFailure: (reason: unknown) => Error;
};

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
      ms === 0 ? identity : timeout({ first: ms, with: () => throwError(toLate) }),
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
  ms === 0 ? identity : takeUntil(timer(ms).pipe(mergeMap(() => throwError(toError))));

export type Deadline<T> = {
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

export type Watch<T> = {
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
    source$.pipe(tap(note), takeUntil(defer(() => timer(look())).pipe(repeat(), ignoreElements())));

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
  /** When the timer was last started or paused. */
  sinceMs: number;
};

/**
 * Emits once, when the source has run for `ms`, and completes. A source is paused from an element that finds the
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
  (isPaused$) =>
    isPaused$.pipe(
      startWith(false),
      distinctUntilChanged(),
      timestamp({ now: clockMs }),
      scan(turn, { isPaused: true, leftMs: ms, sinceMs: 0 }),
      switchMap(({ isPaused, leftMs }) => (isPaused ? NEVER : timer(toTimerMs(Math.max(0, leftMs))))),
      take(1),
    );

const turn = (
  { isPaused: wasPaused, leftMs, sinceMs }: Elapsed,
  { value, timestamp: nowMs }: Timestamp<boolean>,
): Elapsed => ({
  isPaused: value,
  leftMs: wasPaused ? leftMs : leftMs - (nowMs - sinceMs),
  sinceMs: nowMs,
});
