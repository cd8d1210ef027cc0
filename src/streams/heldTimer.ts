/** A timer that stands still while the source that it limits is held back. */
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
type Clock = { isHeld: boolean; leftMs: number; sinceMs: number };

/**
 * Emits once, when the source was free for so many ms; completes then. A source is held back from an element that finds the
 * queue full until the queue drains, as `pauseWhileFull` holds a readable.
 *   source  a--b-----      (the queue is full at b, and holds the source for 3 frames)
 *   drain   ------d--
 *   out     --------(t|)   (of 5 ms: 3 until b, 2 behind d)
 */
export const heldTimer =
  <T>({ isFull, drain$ }: Backpressure, ms: number): OperatorFunction<T, 0> =>
  (source$: Observable<T>) =>
    merge(source$.pipe(map(() => isFull())), drain$.pipe(map(() => false))).pipe(
      startWith(false),
      distinctUntilChanged(),
      timestamp(),
      scan(turn, { isHeld: true, leftMs: ms, sinceMs: 0 }),
      switchMap(({ isHeld, leftMs }) => (isHeld ? NEVER : timer(toTimerMs(Math.max(0, leftMs))))),
      take(1),
    );

const turn = ({ isHeld: wasHeld, leftMs, sinceMs }: Clock, { value, timestamp: nowMs }: Timestamp<boolean>): Clock => ({
  isHeld: value,
  leftMs: wasHeld ? leftMs : leftMs - (nowMs - sinceMs),
  sinceMs: nowMs,
});
