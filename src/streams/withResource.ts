/** Streams that last as long as each other: a connection and its use, a stream and the work next to it. */
import {
  concat,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  takeWhile,
} from 'rxjs';
import { operate } from './operate';

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

/**
 * Passes the source on; until it ends, it is also subscribed to `work$`, which emits nothing. Errors with either.
 *   in     -a-b-|
 *   work$  --------
 *   out    -a-b-|
 */
export const alongside = <T>(work$: Observable<never>): MonoTypeOperatorFunction<T> =>
  operate<T, T>((subscriber) => {
    subscriber.add(work$.subscribe({ error: (reason) => subscriber.error(reason) }));
    return subscriber;
  });
