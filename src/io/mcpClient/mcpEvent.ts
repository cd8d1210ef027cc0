/** What a client of an MCP server over HTTP emits. */

import type { RequestId } from '../../protocol/jsonrpc/messages';

/**
 * `line`: a line of the server, with its HTTP status if that is an error; `log` is for people, about a message that failed, or about `requests` that get
 * no response; `challenge` is how the server wants to be authorized; `ended`: the session is over, or the server cannot be reached, because of `trouble`.
 */
export type McpEvent =
  | { kind: 'line'; line: string; status?: number; challenge?: string }
  | { kind: 'log'; line: string; status?: number; challenge?: string; requests?: readonly RequestId[] }
  | { kind: 'ended'; trouble: string };
