/** An engine that is made by its first call, and an engine that rejects every call. */
import { concat, connect, filter, map, mergeMap, of, take } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';

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
 * An engine that is made by its first op; nothing is lost, as it is made at once.
 *   in  a-b-|
 *   out A-B-|    (make runs at a)
 * If `make` throws, each call is rejected with the reason.
 */
export const lazyEngine =
  (make: () => Engine): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((share$) =>
        share$.pipe(
          take(1),
          mergeMap((first) => made(make)(ask)(concat(of(first), share$))),
        ),
      ),
    );

const made = (make: () => Engine): Engine => {
  try {
    return make();
  } catch (error) {
    return rejectingEngine(error instanceof Error ? error.message : String(error));
  }
};
