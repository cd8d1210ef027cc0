/** Owns what a message of the client comes to: an answer at once, or something the calls must know. */
import type { McpLogLevel, RequestId, Response, TurnOp, Verdict } from '../../protocol';
import type { Era } from './client';

/**
 * A tool call that is under way. `id` is that of the request that waits for it now; a retry of 2026-07-28
 * changes it. `digest` stands for tool and arguments, so that a retry can be known as one of this call.
 */
export type Call = {
  callId: string;
  id: RequestId;
  batch?: Response['batch'];
  era: Era;
  token?: RequestId;
  tool: string;
  digest: string;
};

/** `resume` is a retry with answers to questions; `answered` a response to a question; `end` the end of input. */
export type Command =
  | Response
  | { kind: 'begin'; call: Call; op: TurnOp }
  | { kind: 'resume'; call: Omit<Call, 'tool'>; verdicts: Map<number, Verdict> }
  | { kind: 'answered'; question: number; verdict: Verdict }
  | { kind: 'cancel'; requestId: unknown }
  | { kind: 'listen'; id: RequestId }
  | { kind: 'level'; level: McpLogLevel; response: Response }
  | { kind: 'end' };

/** What the calls must know. */
export type CallCommand = Exclude<Command, { kind: 'response' }>;
