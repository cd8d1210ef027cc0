/** Detects an app-server that hangs. */
import {
  catchError,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  takeUntil,
  timer,
} from 'rxjs';

/** A request that was sent; `response$` emits or errors once it is answered. */
export type PendingRequest = { method: string; response$: Observable<unknown> };

/** @param incoming$ everything that the server sends; @param waitMs how long it may be silent while a request is open */
export type WatchDeps = { incoming$: Observable<unknown>; waitMs: number };

/**
 * Subscribes to each response. Emits the error of a server that has neither answered nor sent anything else for `waitMs`.
 *   request   -r--r-------
 *   response  ----y            (y that of the first r)
 *   out       ---------E       (E, `waitMs` after the second r)
 */
export const watchResponses =
  ({ incoming$, waitMs }: WatchDeps): OperatorFunction<PendingRequest, Error> =>
  (request$) =>
    request$.pipe(
      mergeMap(({ method, response$ }) =>
        merge(of(null), incoming$).pipe(
          switchMap(() => timer(waitMs)),
          takeUntil(response$.pipe(catchError(() => of(null)))),
          map(() => new Error(`The codex app-server was silent for ${waitMs / 1000} s after ${method} and was ended.`)),
        ),
      ),
    );
