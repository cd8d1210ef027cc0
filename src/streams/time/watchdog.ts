/** A timer that looks whether a stream is still well. */
import { asyncScheduler, type MonoTypeOperatorFunction, type SchedulerAction } from 'rxjs';
import { operate } from '../operate';

/**
 * Passes the source. Calls `look` at its subscription, and again as many ms later as it returned, until the source ends. Errors with what
 * `look` throws.
 *   in   -a-b-c-d     (look returns 4, returns 2, throws)
 *   out  -a-b-c#
 */
export const watchdog = <T>(look: () => number): MonoTypeOperatorFunction<T> =>
  operate<T, T>((subscriber) => {
    const again = function (this: SchedulerAction<undefined>): void {
      try {
        this.schedule(undefined, look());
      } catch (reason) {
        subscriber.error(reason);
      }
    };
    subscriber.add(asyncScheduler.schedule(again, look()));
    return subscriber;
  });
