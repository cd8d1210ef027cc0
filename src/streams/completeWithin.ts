/** Limits the time from the subscription to the end of a stream. */
import { type MonoTypeOperatorFunction, map, takeUntil, timer } from 'rxjs';

/** @param ms 0 for no limit; @param toError the error of a stream that goes on for longer */
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
    const late$ = timer(ms).pipe(
      map((): never => {
        throw toError();
      }),
    );
    return source$.pipe(takeUntil(late$));
  };
