/** Owns how the state of a turn is told: its plan, its tokens, its difference to the files as they were. */
import type { PlanStep } from '../protocol/codex';
import type { ToMsgs } from './heard';
import { entryOf, numberOf, objectOf, textOf } from './wire';

const STATUS: Record<string, PlanStep['status']> = {
  pending: 'pending',
  inProgress: 'in_progress',
  completed: 'completed',
};

export const plan: ToMsgs = (_, { explanation, plan: steps }) => [
  {
    type: 'plan_update',
    explanation: textOf(explanation) || null,
    plan: (Array.isArray(steps) ? steps : []).map(objectOf).map(({ step, status }) => ({
      step: textOf(step),
      status: entryOf(STATUS, textOf(status)) ?? 'pending',
    })),
  },
];

export const usage: ToMsgs = (_, { tokenUsage }) => {
  const last = objectOf(objectOf(tokenUsage).last);
  return [
    {
      type: 'token_count',
      input_tokens: numberOf(last.inputTokens),
      cached_input_tokens: numberOf(last.cachedInputTokens),
      output_tokens: numberOf(last.outputTokens),
      reasoning_output_tokens: numberOf(last.reasoningOutputTokens),
      total_tokens: numberOf(last.totalTokens),
    },
  ];
};

/** The same difference comes several times; it is told once. */
export const diff: ToMsgs = (heard, params) => {
  const unified_diff = textOf(params.diff);
  if (unified_diff === heard.diff) return [];
  heard.diff = unified_diff;
  return [{ type: 'turn_diff', unified_diff }];
};
