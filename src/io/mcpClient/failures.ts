/** What ends a live session with an MCP server over HTTP. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** @param name what errors call the server; @param login the command that logs in there, if there is one */
export type FailureDeps = { name: string; login?: string };

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

/**
 * `line`: a line of the server, with its HTTP status if that is an error; `log` is for people, about a message that failed, or about `requests` that get
 * no response; `challenge` is how the server wants to be authorized; `ended`: the session is over, or the server cannot be reached, because of `trouble`.
 */
export type McpEvent =
  | { kind: 'line'; line: string; status?: number; challenge?: string }
  | { kind: 'log'; line: string; status?: number; challenge?: string; requests?: readonly RequestId[] }
  | { kind: 'ended'; trouble: string };
