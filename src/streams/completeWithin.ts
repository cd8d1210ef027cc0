/** Limits the time from the subscription to the end of a stream. */
import { concat, type MonoTypeOperatorFunction, map, merge, mergeMap, of, takeWhile, throwError, timer } from 'rxjs';

/** @param ms 0 for no limit; @param toError the error of a stream that goes on for longer */
export type CompletionLimit = { ms: number; toError: () => Error };

/**
 * Errors when the source has not completed in time, however much it emits.
 *   in  -a-a-a-a    (ms is 6)
 *   out -a-a-a#
 */
export const completeWithin =
  <T>({ ms, toError }: CompletionLimit): MonoTypeOperatorFunction<T> =>
  (source$) =>
    ms === 0
      ? source$
      : merge(
          concat(source$.pipe(map((value) => ({ value }))), of(undefined)),
          timer(ms).pipe(mergeMap(() => throwError(toError))),
        ).pipe(
          takeWhile((one) => one !== undefined),
          map(({ value }) => value),
        );
