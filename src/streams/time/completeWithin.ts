/** Limits the time from the subscription to the end of a stream. */
import { asyncScheduler, type MonoTypeOperatorFunction } from 'rxjs';
import { operate } from '../operate';

/** @param ms 0 for no limit; @param toError the error of a stream that takes longer */
export type CompletionLimit = { ms: number; toError: () => Error };

/**
 * Errors when the source has not completed in time, however much it emits.
 *   in  -a-a-a-a    (ms is 6)
 *   out -a-a-a#
 */
export const completeWithin =
  <T>({ ms, toError }: CompletionLimit): MonoTypeOperatorFunction<T> =>
  (source$) => {
    if (ms === 0) return source$;
    return operate<T, T>((subscriber) => {
      subscriber.add(asyncScheduler.schedule(() => subscriber.error(toError()), ms));
      return subscriber;
    })(source$);
  };
