/** Limits how long a stream may be silent. */
import { defer, type OperatorFunction, tap } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { watchdog } from '../../streams/time/limits';
import { toTimerMs } from '../../streams/time/wait';
import { idleFailure } from './failures';

/** @param idleMs 0 means no limit; @param clockMs ms since some moment, without jumps; @param shownMs see idleFailure */
export type IdleLimit = { idleMs: number; isFull: Backpressure['isFull']; clockMs: () => number; shownMs?: number };

/** A stream of nothing but comments, which some servers send while the model thinks, may go on this many times longer. */
const RESULTS_FACTOR = 3;

/**
 * Passes what `read` makes of the source. Errors when nothing comes for too long, or when what comes yields nothing for three times
 * as long. The clock stands still while the client reads slowly.
 *   in   a-- 300ms       in   a-c-c-c ...     (c yields nothing)
 *   out  A-- 300ms #     out  A-- 900ms #
 * A value only records the time: one timer checks it twice per `idleMs`, and when the time is up.
 * Source: Codex 0.28.0 `stream_idle_timeout_ms`, cases mh25 and mh26.
 */
export const idleTimeout =
  <T, R>({ idleMs, isFull, clockMs, shownMs }: IdleLimit, read: OperatorFunction<T, R>): OperatorFunction<T, R> =>
  (source$) => {
    if (idleMs <= 0) return source$.pipe(read);
    return defer(() => {
      let valueMs = clockMs(); // of the last value; a check that finds the client reading slowly counts as one
      let resultMs = valueMs;
      const leftMs = (): number => {
        const nowMs = clockMs();
        if (isFull()) {
          valueMs = nowMs;
          resultMs = nowMs;
        }
        return Math.min(valueMs + idleMs, resultMs + idleMs * RESULTS_FACTOR) - nowMs;
      };
      const look = () => nextLookMs(leftMs(), { idleMs, shownMs });
      return source$.pipe(
        tap(() => {
          valueMs = clockMs();
        }),
        read,
        watchdog({
          look,
          note: () => {
            resultMs = clockMs();
          },
        }),
      );
    });
  };

/** Twice within the limit, and when it is over. Throws if that is now. */
const nextLookMs = (leftMs: number, { idleMs, shownMs }: { idleMs: number; shownMs: number | undefined }): number => {
  if (leftMs <= 0) throw idleFailure(shownMs);
  return toTimerMs(Math.min(leftMs, Math.max(1, idleMs / 2)));
};
