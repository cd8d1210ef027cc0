/** Keeps a shared server alive while something is going on. */
import {
  catchError,
  connect,
  EMPTY,
  ignoreElements,
  last,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  takeUntil,
} from 'rxjs';

/**
 * Passes the source, and stays subscribed to `server$` until the source ends. The loss of the server is not an error here.
 *   in       -a--b---|
 *   server$  --s--#
 *   out      -a--b---|
 */
export const keepServerAlive =
  <T>(server$: Observable<unknown>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(
      connect((shared$) =>
        merge(
          shared$,
          server$.pipe(
            ignoreElements(),
            catchError(() => EMPTY),
            takeUntil(shared$.pipe(last(null, null))),
          ),
        ),
      ),
    );
