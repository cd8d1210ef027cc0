/** An engine that is made by its first call, an engine that is still being chosen, and an engine that rejects every call. */
import {
  catchError,
  concat,
  connect,
  defer,
  filter,
  map,
  mergeMap,
  type Observable,
  of,
  shareReplay,
  switchMap,
  take,
  tap,
} from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import { mapInTurn } from '../../streams/scanInTurn';

/** Rejects every call. */
export const rejectingEngine =
  (message: string): Engine =>
  () =>
  (op$) =>
    op$.pipe(
      filter(({ kind }) => kind !== 'interrupt'),
      map(({ callId }) => ({ kind: 'rejected' as const, callId, message })),
    );

/**
 * An engine that is made when its first op comes; ops wait for it, in their order.
 * @param engine$ makes and emits it; subscribed once; if it errors, each call is rejected with the reason
 *   op      a-b-----c-|
 *   engine  ----e
 *   out     ----(AB)C-|    (engine$ is subscribed at a)
 */
export const lazyEngine =
  (engine$: Observable<Engine>): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((share$) =>
        share$.pipe(
          take(1),
          mergeMap((first) => deferredEngine(orRejecting(engine$))(ask)(concat(of(first), share$))),
        ),
      ),
    );

const orRejecting = (engine$: Observable<Engine>): Observable<Engine> =>
  engine$.pipe(catchError((error) => of(rejectingEngine(error instanceof Error ? error.message : String(error)))));

/**
 * An engine that is still being chosen; operations wait, in their order.
 * @param engine$ emits it; subscribed once; its errors are errors of the engine
 *   op      a-b-----c
 *   choice  ----e
 *   out     ----(AB)C    (by e)
 */
export const deferredEngine =
  (engine$: Observable<Engine>): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      let isChosen = false;
      const chosen$ = engine$.pipe(
        take(1),
        tap(() => {
          isChosen = true;
        }),
        shareReplay({ bufferSize: 1, refCount: true }),
      );
      return op$.pipe(
        mapInTurn((op) => (isChosen ? op : chosen$.pipe(map(() => op)))),
        connect((waiting$) => chosen$.pipe(switchMap((engine) => engine(ask)(waiting$)))),
      );
    });
