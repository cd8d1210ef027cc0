/** Owns what happens in a turn, one step after another. */
import type { Config } from '../config';
import type {
  Event,
  EventMsg,
  FunctionCall,
  Model,
  ModelError,
  ResponseItem,
  TokenUsage,
  Told,
  TurnOp,
} from '../protocol';
import type { ToolSet } from '../toolServers';

/** A conversation that has begun. */
export type Thread = { id: string; config: Config; model: Model };

/** One turn of a thread; `opens` on the one that begins it, `tools` are those of MCP servers. */
export type Turn = { op: TurnOp; thread: Thread; turnId: string; opens: boolean; tools: ToolSet };

/** Asks the model once more; `attempt` counts broken answers in a row, `said` is the last message of the turn. */
export type Sample = { kind: 'sample'; attempt: number; said: string | null };

/**
 * An event goes out; `item` is what the model said and `output` what came of a call, both for the memory of the thread;
 * `usage` is what an answer cost and `broken` one that broke off; `sample` leads to the next one; `stop` ends the turn where it is.
 */
export type Step =
  | Event
  | { kind: 'item'; item: ResponseItem }
  | { kind: 'output'; call: FunctionCall; text: string }
  | { kind: 'usage'; usage: TokenUsage }
  | { kind: 'broken'; error: ModelError }
  | Sample
  | { kind: 'stop' };

/** An event of this turn. */
export const tell = ({ op, thread, turnId }: Turn, msg: EventMsg): Told => ({
  kind: 'told',
  callId: op.callId,
  threadId: thread.id,
  turnId,
  id: op.eventId,
  msg,
});

/** What the model is told of a call. */
export const output = (call: FunctionCall, text: string): Step => ({ kind: 'output', call, text });

/** The two events that end a turn which came to nothing by no wish of the user. */
export const fail = (turn: Turn, message: string): Told[] => [
  tell(turn, { type: 'error', message }),
  tell(turn, { type: 'task_complete', last_agent_message: null }),
];

/** The event that ends a turn which was stopped. */
export const abort = (turn: Turn): Told => tell(turn, { type: 'turn_aborted', reason: 'interrupted' });
