/** Adds up what answers cost. */
import type { TokenUsage } from '../../protocol/model/events';

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
