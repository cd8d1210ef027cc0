/** Owns what happens in a turn, one step after another. */

import type { Config } from '../config';
import type { Event, EventMsg, FunctionCall, Model, ResponseItem, TurnOp } from '../protocol';

/** A conversation that has begun. */
export type Thread = { id: string; config: Config; model: Model };

/** One turn of a thread. */
export type Turn = { op: TurnOp; thread: Thread; turnId: string };

/** Asks the model with the history so far; `attempt` counts broken answers, `said` is the last message of the turn. */
export type Sample = { kind: 'sample'; history: ResponseItem[]; attempt: number; said: string | null };

/**
 * An event goes out; `record` goes into the history; `sample` leads to the next answer of the model, and its
 * history takes the place of what was recorded one by one;
 * `stop` ends the turn where it is.
 */
export type Step = Event | { kind: 'record'; item: ResponseItem } | Sample | { kind: 'stop' };

/** An event of this turn. */
export const tell = ({ op, thread, turnId }: Turn, msg: EventMsg, question?: number): Step => ({
  kind: 'told',
  callId: op.callId,
  threadId: thread.id,
  turnId,
  id: op.eventId,
  msg,
  ...(question !== undefined && { question }),
});

export const record = (item: ResponseItem): Step => ({ kind: 'record', item });

/** The answer to a call of the model. */
export const recordOutput = ({ call_id }: FunctionCall, output: string): Step =>
  record({ type: 'function_call_output', call_id, output });

/** A message in the conversation. */
export const toMessage = (role: 'user' | 'developer', text: string): ResponseItem => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
