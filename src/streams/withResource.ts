/** Works with something that stays open for as long as it is used, such as a connection. */
import { concat, map, type Observable, type OperatorFunction, of, switchMap, takeWhile } from 'rxjs';

type Used<R> = { value: R } | undefined;

/**
 * Emits what `use` makes of the resource, and completes with it. That unsubscribes from the source, which keeps the resource open until then.
 * A second resource replaces the first. Errors with either.
 *   source  --r--------
 *   use(r)    -a-b-|
 *   out     ---a-b-|
 */
export const withResource =
  <T, R>(use: (resource: T) => Observable<R>): OperatorFunction<T, R> =>
  (resource$) =>
    resource$.pipe(
      switchMap((resource) => concat(use(resource).pipe(map((value): Used<R> => ({ value }))), of<Used<R>>(undefined))),
      takeWhile((used): used is { value: R } => used !== undefined),
      map(({ value }) => value),
    );
