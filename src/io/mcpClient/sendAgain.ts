/** Sends a message to an MCP server over HTTP once more, if its session was lost. */
import {
  catchError,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  retry,
  switchMap,
  takeUntil,
  throwError,
} from 'rxjs';
import type { McpEvent } from './mcpEvent';
import type { Ready } from './readySession';
import { SessionLost } from './sessionLost';

/** @param withdrawn$ emits when the message should no longer be sent */
export type SendAgainDeps = { ready: Ready; withdrawn$: Observable<unknown> };

/**
 * Subscribes to the source, which sends the message, when there is a session, and once more in another session if it errors with SessionLost. Completes
 * with the response; without one if the message is withdrawn while it waits. Never errors: `ended` says why it cannot be sent.
 *   in     -#  -R|       (# SessionLost, R the response)
 *   ready  t  -t
 *   out    ---R|
 */
export const sendAgain =
  ({ ready, withdrawn$ }: SendAgainDeps): MonoTypeOperatorFunction<McpEvent> =>
  (event$) => {
    const delay = (error: Error): Observable<unknown> =>
      error instanceof SessionLost ? ready(error.session).pipe(takeUntil(withdrawn$)) : throwError(() => error);
    return ready().pipe(
      takeUntil(withdrawn$),
      switchMap(() => event$.pipe(retry({ count: 1, delay }))),
      catchError(({ message: trouble }: Error) => of<McpEvent>({ kind: 'ended', trouble })),
    );
  };
