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
import type { Backpressure } from './backpressure';
import { toTimerMs } from './timerMs';

/** `leftMs` at `sinceMs`, when the clock stopped or started. */
type Clock = { isPaused: boolean; leftMs: number; sinceMs: number };

/**
 * Emits once, when the source has run for so many ms, and completes. A source is paused from an element that finds the
 * queue full until the queue drains, as `pauseWhileFull` holds a readable.
 *   source  a--b-----      (the queue is full at b, which pauses the source for 3 frames)
 *   drain   ------d--
 *   out     --------(t|)   (of 5 ms: 3 until b, 2 behind d)
 */
export const pausableTimer =
  <T>({ isFull, drain$ }: Backpressure, ms: number): OperatorFunction<T, 0> =>
  (source$: Observable<T>) =>
    merge(source$.pipe(map(() => isFull())), drain$.pipe(map(() => false))).pipe(
      startWith(false),
      distinctUntilChanged(),
      timestamp(),
      scan(turn, { isPaused: true, leftMs: ms, sinceMs: 0 }),
      switchMap(({ isPaused, leftMs }) => (isPaused ? NEVER : timer(toTimerMs(Math.max(0, leftMs))))),
      take(1),
    );

const turn = (
  { isPaused: wasPaused, leftMs, sinceMs }: Clock,
  { value, timestamp: nowMs }: Timestamp<boolean>,
): Clock => ({
  isPaused: value,
  leftMs: wasPaused ? leftMs : leftMs - (nowMs - sinceMs),
  sinceMs: nowMs,
});
