/** The progress of a turn: its plan, its tokens, its diff. */
import type { PlanStep } from '../../../protocol/codex/eventMsg';
import type { TokenUsage } from '../../../protocol/model/events';
import { DiffParams, entryOf, PlanParams, read, type TokenNumbers, TokenUsageParams } from '../shapes';
import { emitting, type ReduceParams } from './turnState';

const STATUS: Record<string, PlanStep['status']> = {
  pending: 'pending',
  inProgress: 'in_progress',
  completed: 'completed',
};

export const plan = emitting((params) => {
  const { explanation, plan: steps } = read(PlanParams, params);
  return [
    {
      type: 'plan_update',
      explanation: explanation || null,
      plan: steps.map(({ step, status }) => ({ step, status: entryOf(STATUS, status) ?? 'pending' })),
    },
  ];
});

export const usage = emitting((params) => {
  const { last, total } = read(TokenUsageParams, params).tokenUsage;
  return [{ type: 'token_count', ...toUsage(last), ...(total && { total: toUsage(total) }) }];
});

const toUsage = (tokens: TokenNumbers): TokenUsage => ({
  input_tokens: tokens.inputTokens,
  cached_input_tokens: tokens.cachedInputTokens,
  output_tokens: tokens.outputTokens,
  reasoning_output_tokens: tokens.reasoningOutputTokens,
  total_tokens: tokens.totalTokens,
});

/** The server sends the same diff several times; it is emitted once. */
export const diff: ReduceParams = (state, params) => {
  const { diff: unified_diff } = read(DiffParams, params);
  if (unified_diff === state.diff) return { state, output: [] };
  return { state: { ...state, diff: unified_diff }, output: [{ type: 'turn_diff', unified_diff }] };
};
