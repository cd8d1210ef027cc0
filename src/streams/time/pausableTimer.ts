/** A timer that pauses while backpressure pauses the source that it limits. */
import {
  distinctUntilChanged,
  map,
  merge,
  NEVER,
  type Observable,
  type OperatorFunction,
  scan,
  startWith,
  switchMap,
  type Timestamp,
  take,
  timer,
  timestamp,
} from 'rxjs';
import type { Backpressure } from '../backpressure/backpressure';
import { toTimerMs } from './timerMs';

/** @param clockMs ms since some moment; it never jumps, unlike the time of day */
export type PausableTimerDeps = Backpressure & { clockMs: () => number };

/** `leftMs` at `sinceMs`, when the timer stopped or started. */
type Elapsed = { isPaused: boolean; leftMs: number; sinceMs: number };

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
    merge(source$.pipe(map(() => isFull())), drain$.pipe(map(() => false))).pipe(
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
