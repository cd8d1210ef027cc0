/** How long to wait before the next attempt to reconnect. */
import { doublingWait } from '../../streams/time/doublingWait';

/** A connection lost at `atMs`, and how many attempts were made since to get another. */
export type Loss = { atMs: number; attempts: number };

/** What to wait now, and how long after the loss the attempt is made. */
export type Wait = { loss: Loss; waitMs: number; elapsedMs: number };

/** The wait doubles with each attempt. `loss` is undefined at the first. */
export const backoff = (loss: Loss | undefined, nowMs: number): Wait => {
  const { atMs, attempts } = loss ?? { atMs: nowMs, attempts: 0 };
  const waitMs = doublingWait(attempts + 1);
  return { loss: { atMs, attempts: attempts + 1 }, waitMs, elapsedMs: nowMs + waitMs - atMs };
};
