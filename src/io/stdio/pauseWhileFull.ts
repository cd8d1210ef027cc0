/** Lets a source wait while the queue ahead of it is full: the one place that waits for a drain. */
import { type Subscription, take } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';

/** A source that can be paused, such as a Node stream. */
export type Pausable = { pause: () => void; resume: () => void };

/** `check` after each chunk that was passed on; `stop` when the source is not read any more. */
export type PauseWhileFull = { check: () => void; stop: () => void };

/**
 * Pauses the source when `check` finds the queue full, and resumes it when that drains.
 *   check   a-b-c---d     (the queue is full at b)
 *   drain   ------d--
 *   source  --p---r--     (p pause, r resume)
 */
export const pauseWhileFull = ({ isFull, drain$ }: Backpressure, source: Pausable): PauseWhileFull => {
  let waiting: Subscription | undefined;
  return {
    check: () => {
      if (!isFull()) return;
      source.pause();
      waiting?.unsubscribe(); // Node resumes a child's streams at its exit, so a second pause may come before the drain
      waiting = drain$.pipe(take(1)).subscribe(() => source.resume());
    },
    stop: () => waiting?.unsubscribe(),
  };
};
