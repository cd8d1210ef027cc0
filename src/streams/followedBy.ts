/** A stream, and what follows from all its items. */
import { connect, type MonoTypeOperatorFunction, merge, mergeMap, type Observable, reduce } from 'rxjs';

/**
 * Passes the source, then the stream that `next` makes of its sum. Completes with that; errors with either.
 *   in  a-b-|
 *   out a-b-(S|)   (S from next(sum of a and b))
 */
export const followedBy =
  <T, S>(sum: (state: S, item: T) => S, seed: S, next: (state: S) => Observable<T>): MonoTypeOperatorFunction<T> =>
  (item$) =>
    item$.pipe(connect((shared$) => merge(shared$, shared$.pipe(reduce(sum, seed), mergeMap(next)))));
