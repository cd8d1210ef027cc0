/** The token counts of the dialects. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';

const numberOr = <T>(value: unknown, otherwise: T): number | T => (typeof value === 'number' ? value : otherwise);

const partOf = (details: unknown, name: string): number | null =>
  numberOr((isObject(details) ? details : {})[name], null);

const toUsage = (
  input: unknown,
  output: unknown,
  { cached, reasoning, total }: Record<string, unknown>,
): TokenUsage => {
  const [inputTokens, outputTokens] = [numberOr(input, 0), numberOr(output, 0)];
  return {
    input_tokens: inputTokens,
    cached_input_tokens: numberOr(cached, null),
    output_tokens: outputTokens,
    reasoning_output_tokens: numberOr(reasoning, null),
    total_tokens: numberOr(total, inputTokens + outputTokens),
  };
};

/** Reads the usage of a Responses answer; null if it has none. */
export const toResponsesUsage = (usage: unknown): TokenUsage | null =>
  isObject(usage)
    ? toUsage(usage.input_tokens, usage.output_tokens, {
        cached: partOf(usage.input_tokens_details, 'cached_tokens'),
        reasoning: partOf(usage.output_tokens_details, 'reasoning_tokens'),
        total: usage.total_tokens,
      })
    : null;

/** Reads the usage of a Chat Completions answer. */
export const toChatUsage = (usage: JsonObject): TokenUsage =>
  toUsage(usage.prompt_tokens, usage.completion_tokens, {
    cached: partOf(usage.prompt_tokens_details, 'cached_tokens'),
    reasoning: partOf(usage.completion_tokens_details, 'reasoning_tokens'),
    total: usage.total_tokens,
  });
