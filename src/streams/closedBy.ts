/** Runs a close step when a stream ends by itself, whether it completes or errors. */
import { concat, dematerialize, type MonoTypeOperatorFunction, materialize, mergeMap, type Observable, of } from 'rxjs';

/**
 * Passes the source on; its end, or its error, follows once `close` has completed. Errors with `close`. Unsubscribing does not call `close`.
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
