/** What ends a live session with an MCP server over HTTP. */
import { isObject } from '../../protocol/jsonrpc';
import { parseLine } from '../../session';
import type { McpEvent } from './mcpEvent';

/** @param name what errors call the server; @param login the command that logs in there, where there is one */
export type FailureDeps = { name: string; login?: string };

/**
 * Why the session is over, undefined where it goes on: the server cannot be reached, refuses a message without a response to it, or no longer knows
 * the session, which it says in a response to no request. Source: MCP 2025-11-25, Session Management; the status is 404, or 400 with some SDKs.
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

/** What the error in a line says. */
export const errorIn = (line: string): string | undefined => {
  const [message] = parseLine(line).messages;
  const error = message?.kind === 'response' ? message.body.error : undefined;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
};

const TOKEN = '; bearer_token_env_var names the variable with its token';
const FORBIDDEN =
  '; it may want a token, which bearer_token_env_var names, or take another name of its host only, such as localhost';
const MOVED = '; redirects are not followed, so that headers go nowhere else: give its url as it is';

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

/** A session that is over has status 404 too, in a message. A server that knows OAuth says so with status 401. */
const remedyFor = ({ kind, status = 0, challenge = '' }: Failed, login: string | undefined): string => {
  if (status === 401 && login !== undefined && /\bbearer\b/i.test(challenge))
    return `; ${login} logs in, or bearer_token_env_var names the variable with its token`;
  return status === 404 && kind === 'line' ? '' : (REMEDIES[status] ?? '');
};
