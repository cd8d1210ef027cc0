/** The request that waits for a call, as MCP needs to know it. */
import type { RequestId, Response } from '../../protocol/jsonrpc/messages';
import type { Call } from '../calls/calls';
import type { Era } from '../faces/clientInfo';

/** The request that waits for a call. */
export type Caller = {
  /** Distinguishes it from the callers of Codex methods on the same connection. */
  method: 'tools/call';
  id: RequestId;
  batch?: Response['batch'];
  era: Era;
  /** Token for progress; absent if the client wants none. */
  token?: RequestId;
  /** Stands for tool and arguments, so that a retry of 2026-07-28 can be recognized. */
  digest: string;
  /** Keys of questions whose answer could not be understood. */
  misread?: readonly string[];
};

/** A call of a tool that a client of MCP began. */
export type McpCall = Call<Caller>;
