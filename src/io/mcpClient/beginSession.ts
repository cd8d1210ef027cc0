/** Begins a new session with an MCP server over HTTP that no longer knows the old one. */
import { concat, defer, ignoreElements, type Observable, takeWhile, tap, throwError, timeout } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';
import { failWhenLost, hasResponse } from './sessionLost';
import { errorIn, type FailureDeps, toFailure, toStatusText } from './toFailure';

/** @param opening the lines of the handshake, as in the first session; @param beginMs how long it may take */
export type BeginDeps = FailureDeps & {
  client: Pick<McpHttpClient, 'post' | 'session'>;
  opening: readonly string[];
  beginMs: number;
};

/**
 * Sends `initialize`, which the client sends without a session, then `notifications/initialized`. Emits nothing, because the responses are
 * of no interest to a client that had those of the first session. Completes when the session can be used; errors with the reason if none begins.
 *   post i  -I         (I the response to initialize)
 *   post r    -|
 *   out     ---|
 */
export const beginSession = ({ client, opening, beginMs, ...failure }: BeginDeps): Observable<never> => {
  const none = (reason: string): Error =>
    new Error(`${failure.name} no longer knows the session, and no new one could be started: ${reason}`);
  const checked = tap((event: McpEvent) => {
    const reason = reasonIn(failure, event);
    if (reason !== undefined) throw none(reason);
  });
  const posted = (line: string): Observable<McpEvent> =>
    defer(() => {
      const id = requestIn(line);
      const session = id === undefined ? client.session() : undefined; // initialize is sent in none
      const isOpen = (event: McpEvent) => id === undefined || event.kind !== 'line' || !hasResponse(event.line, id);
      return client.post(line).pipe(failWhenLost({ name: failure.name, session }), checked, takeWhile(isOpen, true));
    });
  return concat(...opening.map(posted)).pipe(
    ignoreElements(),
    timeout({
      first: beginMs,
      with: () => throwError(() => none(`it did not answer within ${beginMs / 1000} s`)),
    }),
  );
};

/** Why the server does not continue the handshake. */
const reasonIn = (failure: FailureDeps, event: McpEvent): string | undefined => {
  const reason = toFailure(failure, event);
  if (reason !== undefined || event.kind === 'ended') return reason;
  if (event.kind === 'log') return event.line;
  return event.status === undefined ? errorIn(event.line) : toStatusText(failure.name, event);
};

const requestIn = (line: string): RequestId | undefined => {
  const [message] = parseLine(line).messages;
  return message?.kind === 'request' ? message.id : undefined;
};
