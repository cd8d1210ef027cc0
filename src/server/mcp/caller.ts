/** The request that waits for a call, as MCP needs to know it. */
import type { RequestId, Response } from '../../protocol/jsonrpc/messages';
import type { Call } from '../calls/calls';
import type { Era } from '../faces/clientInfo';

/**
 * `method` sets it apart from the callers of Codex methods on the same connection. `token` is that for progress. `digest` stands
 * for tool and arguments, so that a retry of 2026-07-28 can be known as one of this call; `misread` are the keys of questions
 * whose answer could not be understood.
 */
export type Caller = {
  method: 'tools/call';
  id: RequestId;
  batch?: Response['batch'];
  era: Era;
  token?: RequestId;
  digest: string;
  misread?: readonly string[];
};

/** A call of a tool that a client of MCP began. */
export type McpCall = Call<Caller>;
