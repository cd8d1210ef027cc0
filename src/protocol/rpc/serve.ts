/** Requests of a client in, responses out: answered side by side, cancelled one by one. */
import { filter, mergeMap, NEVER, type Observable, type OperatorFunction, takeUntil } from 'rxjs';
import type { RpcRequest } from './messages';

/**
 * @param route gives the messages of one request; see `router`
 * @param cancelled$ hot; ids of requests as the client cancels them
 */
export type ServeDeps<R, M> = { route: (request: R) => Observable<M>; cancelled$?: Observable<RpcRequest['id']> };

/**
 * Each request is answered when its method is done, so none waits for another. One that is cancelled is stopped, and not
 * answered. Completes when the requests have and the last is answered.
 *   request    1-2-------|
 *   cancelled  ----1------
 *   out        -------2--|     (2 the response to the second)
 */
export const serve =
  <R extends RpcRequest, M>({ route, cancelled$ = NEVER }: ServeDeps<R, M>): OperatorFunction<R, M> =>
  (request$) =>
    request$.pipe(
      mergeMap((request) => route(request).pipe(takeUntil(cancelled$.pipe(filter((id) => id === request.id))))),
    );
