/** Makes an engine when it is first needed. */
import { concat, connect, mergeMap, of, take } from 'rxjs';
import type { Engine } from '../../protocol/codex';

/**
 * An engine that is made by its first op; nothing is lost, as it is made at once.
 *   in  a-b-|
 *   out A-B-|    (make runs at a)
 */
export const lazyEngine =
  (make: () => Engine): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((share$) =>
        share$.pipe(
          take(1),
          mergeMap((first) => make()(ask)(concat(of(first), share$))),
        ),
      ),
    );
