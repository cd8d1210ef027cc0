/** Repeats a request that got no usable response, after a pause that grows. */

import { type MonoTypeOperatorFunction, retry, throwError, timer } from 'rxjs';
import type { ModelError } from '../../protocol/model';
import { backoffMs } from '../../streams';

const LONGEST_WAIT_MS = 60_000;

/** One attempt failed and another may do better; `finalError` is the error when none is left. `waitMs` is what the server asks for. */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt';
  constructor(
    readonly finalError: ModelError,
    readonly waitMs?: number,
  ) {
    super(finalError.message);
  }
}

/**
 * Subscribes again after a FailedAttempt.
 * @param maxRetries after the first attempt
 * Emits what the attempts emit; errors with `finalError` of the last attempt, or with any other error at once.
 *   in  -x      (FailedAttempt), then -a|
 *   out - 200ms -a|
 * Source: Codex 0.28.0, cases mh04 to mh16; the cap of 60 s is ours.
 */
export const retryRequest =
  <T>({ maxRetries, random }: { maxRetries: number; random: () => number }): MonoTypeOperatorFunction<T> =>
  (response$) =>
    response$.pipe(
      retry({
        delay: (error, n) => {
          if (!(error instanceof FailedAttempt)) return throwError(() => error);
          if (n > maxRetries) return throwError(() => error.finalError);
          return timer(Math.min(error.waitMs ?? backoffMs(n, random), LONGEST_WAIT_MS));
        },
      }),
    );
