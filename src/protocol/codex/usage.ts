/** The tokens that a turn and its thread have used, from the events of the turn. */
import type { TokenUsage } from '../model/events';
import type { EventMsg } from './eventMsg';

/** What is known of the tokens of a turn. Each member is absent until it is reported. */
export type Usage = {
  /** Of the turn so far. */
  turn?: TokenUsage;
  /** Of the thread so far. */
  thread?: TokenUsage;
  /** The most tokens that the model reads. */
  contextWindow?: number;
};

/** What is known after an event; the same object if that changes nothing. A count that comes twice, as after a thread was loaded, counts once. */
export const addUsageOf = (usage: Usage, msg: EventMsg): Usage => {
  if (msg.type !== 'task_started' && msg.type !== 'token_count') return usage;
  const { model_context_window } = msg;
  const known = model_context_window == null ? usage : { ...usage, contextWindow: model_context_window };
  if (msg.type === 'task_started') return known;
  const { total: thread } = msg;
  if (thread !== undefined && thread.total_tokens === usage.thread?.total_tokens) return known;
  return { ...known, turn: addUsage(usage.turn, msg), ...(thread && { thread }) };
};

/** The sum; a part that no answer reported stays null. */
export const addUsage = (sum: TokenUsage | undefined, usage: TokenUsage): TokenUsage => ({
  input_tokens: (sum?.input_tokens ?? 0) + usage.input_tokens,
  cached_input_tokens: addPart(sum?.cached_input_tokens, usage.cached_input_tokens),
  output_tokens: (sum?.output_tokens ?? 0) + usage.output_tokens,
  reasoning_output_tokens: addPart(sum?.reasoning_output_tokens, usage.reasoning_output_tokens),
  total_tokens: (sum?.total_tokens ?? 0) + usage.total_tokens,
});

const addPart = (sum: number | null = null, part: number | null): number | null =>
  part === null ? sum : (sum ?? 0) + part;
