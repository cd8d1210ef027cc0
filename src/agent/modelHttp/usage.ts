/** The token counts of the dialects. */
import { isObject, isText, type JsonObject } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';

/** Some servers write numbers as texts. */
const numberOr = <T>(value: unknown, otherwise: T): number | T => {
  const number = isText(value) && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 ? Math.round(number) : otherwise;
};

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

/** Reads the usage of a Responses answer; null if it has none. Gateways leave the names of the other dialect. */
export const toResponsesUsage = (usage: unknown): TokenUsage | null =>
  isObject(usage)
    ? toUsage(usage.input_tokens ?? usage.prompt_tokens, usage.output_tokens ?? usage.completion_tokens, {
        cached: partOf(usage.input_tokens_details, 'cached_tokens'),
        reasoning: partOf(usage.output_tokens_details, 'reasoning_tokens'),
        total: usage.total_tokens,
      })
    : null;

/** Reads the usage of a Chat Completions answer. */
export const toChatUsage = (usage: JsonObject): TokenUsage =>
  toUsage(usage.prompt_tokens ?? usage.input_tokens, usage.completion_tokens ?? usage.output_tokens, {
    cached: partOf(usage.prompt_tokens_details, 'cached_tokens'),
    reasoning: partOf(usage.completion_tokens_details, 'reasoning_tokens'),
    total: usage.total_tokens,
  });
