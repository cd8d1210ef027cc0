/** How to recognize that a server over HTTP no longer knows a session. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { McpEvent } from './mcpEvent';
import { toStatusText } from './toFailure';

/** The server rejected a message because it does not know its session. The error's text is for people, who see it if that session was a new one. */
export class SessionLost extends Error {
  override name = 'SessionLost';
  constructor(
    readonly session: string,
    statusText: string,
  ) {
    super(
      `${statusText}, in a new session too; where several servers share the address, all requests of a session must reach the same one`,
    );
  }
}

/** @param name what errors call the server; @param session the session the message was sent in, if any; @param id of the request, if it is one */
export type SentIn = { name: string; session: string | undefined; id?: RequestId | undefined };

/**
 * Passes the responses to a message on, and errors with SessionLost where the server rejects it because of its session.
 *   in   -n-R    -F       (R the response to the request, F status 404)
 *   out  -n-R    -#
 */
export const failWhenLost = ({ name, session, id }: SentIn): MonoTypeOperatorFunction<McpEvent> =>
  tap((event) => {
    if (session !== undefined && event.kind !== 'ended' && isRejection(event, id))
      throw new SessionLost(session, event.kind === 'log' ? event.line : toStatusText(name, event));
  });

/**
 * Source: MCP 2025-11-25, Session Management, which has only 404. 400: servers modelled on the examples of the official SDKs for TypeScript and Kotlin. A
 * response to the request itself is not a rejection, whatever its status: a server that names the request has read it, and may have carried it out.
 */
const REJECTIONS = new Set<number | undefined>([400, 404]);

const isRejection = (event: Exclude<McpEvent, { kind: 'ended' }>, id: RequestId | undefined): boolean =>
  REJECTIONS.has(event.status) && (event.kind === 'log' || !hasResponse(event.line, id));

/** Whether a line has the response to a request. */
export const hasResponse = (line: string, id: RequestId | undefined): boolean =>
  id !== undefined &&
  parseLine(line).messages.some(
    (message) => message.kind === 'response' && message.id !== null && idKey(message.id) === idKey(id),
  );
