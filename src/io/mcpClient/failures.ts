/** What ends a session with an MCP server over HTTP: failures in words, and a server that no longer knows the session. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { isObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** What the texts of failures name. */
export type FailureDeps = {
  /** What errors call the server. */
  name: string;
  /** The command that logs in there, if there is one. */
  login?: string;
};

/**
 * Why the session is over, undefined if it continues: the server cannot be reached, refuses a message without a response to it, or no longer knows the
 * session, which it reports in a response without an id. Source: MCP 2025-11-25, Session Management; the status is 404, or 400 with some SDKs.
 */
export const toFailure = ({ name, login }: FailureDeps, event: McpEvent): string | undefined => {
  if (event.kind === 'ended') return event.trouble;
  if (event.kind === 'log') return event.requests === undefined ? `${event.line}${remedyFor(event, login)}` : undefined;
  const [message] = event.status === undefined ? [] : parseLine(event.line).messages;
  if (message?.kind !== 'response' || message.id !== null) return undefined;
  return `${toStatusText(name, event)}${remedyFor(event, login)}`;
};

/** The status of a response, and the error that came with it: `HTTP 404 of https://…: Session not found`. */
export const toStatusText = (name: string, { line, status }: { line: string; status?: number }): string => {
  const why = errorIn(line);
  return `HTTP ${status} of ${name}${why === undefined ? '' : `: ${why}`}`;
};

/** The message of the error in a line. */
export const errorIn = (line: string): string | undefined => {
  const [message] = parseLine(line).messages;
  const error = message?.kind === 'response' ? message.body.error : undefined;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
};

const TOKEN = '; bearer_token_env_var names the variable with its token';
const FORBIDDEN =
  '; it may require a token, which bearer_token_env_var names, or accept only another host name, such as localhost';
const MOVED = '; redirects are not followed, so that headers go nowhere else: set url to the final address';

const REMEDIES: Readonly<Record<number, string>> = {
  401: TOKEN,
  403: FORBIDDEN,
  404: '; see the path of its url',
  301: MOVED,
  302: MOVED,
  303: MOVED,
  307: MOVED,
  308: MOVED,
};

type Failed = { kind: McpEvent['kind']; status?: number; challenge?: string };

/** An expired session has status 404 too, with a message. A server with OAuth answers with status 401 and a challenge. */
const remedyFor = ({ kind, status = 0, challenge = '' }: Failed, login: string | undefined): string => {
  if (status === 401 && login !== undefined && /\bbearer\b/i.test(challenge))
    return `; ${login} logs in, or bearer_token_env_var names the variable with its token`;
  return status === 404 && kind === 'line' ? '' : (REMEDIES[status] ?? '');
};

/** What a client of an MCP server over HTTP emits. `challenge` is how the server wants to be authorized. */
export type McpEvent =
  /** A line of the server, with its HTTP status if that is an error. */
  | { kind: 'line'; line: string; status?: number; challenge?: string }

  /** A text for people about a message that failed, or about `requests` that get no response. */
  | { kind: 'log'; line: string; status?: number; challenge?: string; requests?: readonly RequestId[] }

  /** The session is over, or the server cannot be reached, because of `trouble`. */
  | { kind: 'ended'; trouble: string };

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

type SentIn = {
  /** What errors call the server. */
  name: string;
  /** The session the message was sent in, if any. */
  session: string | undefined;
  /** The id of the request, if it is one. */
  id?: RequestId | undefined;
};

/**
 * Passes the responses to a message on, and errors with SessionLost if the server rejects it because of its session.
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
