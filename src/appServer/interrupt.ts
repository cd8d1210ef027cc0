/** Owns stopping a turn that the server has. */
import { defer, ignoreElements, map, merge, type Observable, retry, takeUntil, timer } from 'rxjs';
import type { Link } from './link';

/** How long a turn may take to end once it was interrupted, and how often that is tried. */
const PATIENCE_MS = 3_000;
const AGAIN_MS = 100;

/**
 * Asks the server to stop a turn, again while it says that there is none to stop: one that was only just started is not
 * known at once. Emits `then` when patience is over; the server's own word that the turn ended should come before.
 *   ask  x-xi           (x refused, i interrupted)
 *   out  --------(t|)
 * Source: codex app-server 0.142.0 to 0.169.0.
 */
export const interrupt = <T>(
  link: Link,
  threadId: string,
  turnId: () => string | undefined,
  then: T,
): Observable<T> => {
  const patience$ = timer(PATIENCE_MS);
  const asked$ = defer(() => link.ask('turn/interrupt', { threadId, turnId: turnId() ?? '' })).pipe(
    retry({ delay: () => timer(AGAIN_MS) }),
    takeUntil(patience$),
    ignoreElements(),
  );
  return merge(asked$, patience$.pipe(map(() => then)));
};
