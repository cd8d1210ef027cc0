/** Tries again after failures that pass. */
import { asyncScheduler, defer, type MonoTypeOperatorFunction, type Observable, retry, throwError, timer } from 'rxjs';
import { isPassing } from '../../io/nats/natsAddress';
import { doublingWait } from '../../streams/time/wait';

/** Emits once it is time for another attempt, later after each that failed; `attempt` counts from 1. */
export const waitBefore = (attempt: number): Observable<0> => timer(doublingWait(attempt));

/**
 * Subscribes again after a failure that passes, until `patienceMs` are over, by default forever; a value resets the waits. Errors with any other
 * failure, and with the last one when `patienceMs` are over. `wait` emits once it is time for the next attempt.
 *   source  -# -a-#
 *   out     - 100ms --a-  100ms …
 */
export const retryPassing =
  <T>(patienceMs = Number.POSITIVE_INFINITY, wait: typeof waitBefore = waitBefore): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      const beganMs = asyncScheduler.now();
      const isPatient = () => asyncScheduler.now() - beganMs < patienceMs;
      const delay = (error: unknown, attempt: number) =>
        isPassing(error) && isPatient() ? wait(attempt) : throwError(() => error);
      return source$.pipe(retry({ delay, resetOnSuccess: true }));
    });
