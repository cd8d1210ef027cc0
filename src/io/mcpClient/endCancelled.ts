/** Unsubscribes from the response to a cancelled request of an MCP server over HTTP. */
import { filter, finalize, type MonoTypeOperatorFunction, Subject, takeUntil } from 'rxjs';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { cancelledBy } from './cancelledBy';
import type { McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';

/**
 * A client that stops reading the response to a request once the server has accepted its cancellation, or nobody waits for that any longer. The server
 * need not respond then, and its connection would stay open for as long as the session lives.
 *   post c  c---      (c a call)
 *   post x   -|       (x its cancellation, which the server accepts)
 *   c is unsubscribed
 *           --!
 */
export const endCancelled = (client: McpHttpClient): McpHttpClient => {
  const cancelled$ = new Subject<unknown>(); // the wire from cancellations whose response is over to the requests that they cancel
  const untilCancelled = (id: unknown): MonoTypeOperatorFunction<McpEvent> =>
    takeUntil(cancelled$.pipe(filter((cancelled) => cancelled === id)));
  const post: McpHttpClient['post'] = (line) => {
    const [message, ...others] = parseLine(line).messages;
    if (others.length > 0) return client.post(line);
    if (message?.kind === 'request') return client.post(line).pipe(untilCancelled(message.id));
    const id = message?.kind === 'notification' ? cancelledBy(message) : undefined;
    return id === undefined ? client.post(line) : client.post(line).pipe(finalize(() => cancelled$.next(id)));
  };
  return { ...client, post };
};
