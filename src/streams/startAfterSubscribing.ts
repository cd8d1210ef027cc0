/** Puts values before those of a source that is already running. */
import { defer, merge, type OperatorFunction, of } from 'rxjs';
import { gather, mapMulti } from './gather';

/** How the stream starts. */
type Start<T, R extends T> = {
  /** Makes the values that come first. */
  first: () => readonly R[];
  /** True for the items of the source that are emitted. */
  isResult: (item: T) => item is R;
};

/**
 * `startWith` and `filter`, but the source is subscribed before the first values are made: a request leaves before the event that announces
 * it. If the source emits or ends meanwhile, the values are made just before that. Errors with the source, and with what `first` throws.
 *   in      --a-B-c-|     (B is not a result)
 *   first   F
 *   out     F-a---c-|
 */
export const startAfterSubscribing =
  <T, R extends T>({ first, isResult }: Start<T, R>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      let hasBegun = false;
      const begin = (emit: (value: R) => void): void => {
        if (hasBegun) return;
        hasBegun = true;
        for (const value of first()) emit(value);
      };
      const result$ = item$.pipe(
        gather<T, R>(() => ({
          next: (item, emit) => {
            begin(emit);
            if (isResult(item)) emit(item);
          },
          end: begin,
          fail: (reason, emit) => {
            begin(emit);
            throw reason;
          },
        })),
      );
      const start$ = of(null).pipe(mapMulti<null, R>((_, emit) => begin(emit)));
      return merge(result$, start$); // in this order: the source is subscribed first
    });
