/** What is done at the end of a stream, however it ends by itself. */
import { concat, dematerialize, type MonoTypeOperatorFunction, materialize, mergeMap, type Observable, of } from 'rxjs';

/**
 * Passes the source; its end, or its error, follows when `close` has completed. Errors with `close`. Unsubscribing does not call it.
 *   in     a-b-|
 *   close      --|
 *   out    a-b---|
 */
export const closedBy =
  <T>(close: () => Observable<never>): MonoTypeOperatorFunction<T> =>
  (item$) =>
    item$.pipe(
      materialize(),
      mergeMap((event) => (event.kind === 'N' ? of(event) : concat(close(), of(event)))),
      dematerialize(),
    );
