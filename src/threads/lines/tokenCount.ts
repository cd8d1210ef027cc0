/** The tokens that answers of the model used, as a rollout keeps them. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';
import type { RolloutEntry } from './rolloutEntry';

type TokenCount = {
  /** The tokens of the last answer. */
  last: TokenUsage;
  /** The tokens of the thread. */
  total: TokenUsage;
  /** The most tokens that the model reads. */
  window?: number | null;
};

/** The entry of an answer. Source: rollouts of codex 0.142.0, which reads no null in place of a number of tokens. */
export const toTokenCount = ({ last, total, window }: TokenCount): RolloutEntry => ({
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: {
      total_token_usage: toNumbers(total),
      last_token_usage: toNumbers(last),
      model_context_window: window ?? null,
    },
    rate_limits: null,
  },
});

const toNumbers = (usage: TokenUsage): TokenUsage => ({
  input_tokens: usage.input_tokens,
  cached_input_tokens: usage.cached_input_tokens ?? 0,
  output_tokens: usage.output_tokens,
  reasoning_output_tokens: usage.reasoning_output_tokens ?? 0,
  total_tokens: usage.total_tokens,
});

/** The tokens of the last answer and its request, if a line has them. Source: rollouts of codex 0.142.0 and later. */
export const lastCount = ({ payload }: JsonObject): number | undefined => {
  const { type, info } = toObject(payload);
  const { total_tokens: tokens } = toObject(toObject(info).last_token_usage);
  return type === 'token_count' && typeof tokens === 'number' && tokens > 0 ? tokens : undefined;
};

/** Whether a line says what the thread has used so far. */
export const hasUsage = ({ payload }: JsonObject): boolean =>
  isObject(payload) && payload.type === 'token_count' && isObject(payload.info);

/** The tokens that the thread has used so far, as a line has them; undefined if they are not whole. Source: rollouts of codex 0.142.0 and 0.169.0. */
export const storedUsage = ({ payload }: JsonObject): TokenUsage | undefined => {
  const total = toObject(toObject(toObject(payload).info).total_token_usage);
  const { input_tokens, cached_input_tokens = 0, output_tokens, reasoning_output_tokens = 0, total_tokens } = total;
  const usage = { input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens, total_tokens };
  return Object.values(usage).every((one) => typeof one === 'number') ? (usage as TokenUsage) : undefined;
};
