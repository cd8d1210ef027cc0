import { diff, plan, usage } from '../../../../src/agent/appServer/turns/reduceNotification';
import { initialTurn } from '../../../../src/agent/appServer/turns/turnState';

describe('plan', () => {
  it('emits the steps in the terms of the events; an unknown status is pending', () => {
    const steps = ['completed', 'inProgress', 'pending', 'toString'].map((status) => ({ step: 's', status }));
    const { state, output } = plan(initialTurn, { explanation: 'why', plan: steps });
    const statuses = ['completed', 'in_progress', 'pending', 'pending'];
    expect(output).toEqual([
      { type: 'plan_update', explanation: 'why', plan: statuses.map((status) => ({ step: 's', status })) },
    ]);
    expect(state).toBe(initialTurn);
  });
});

describe('usage', () => {
  it('emits the tokens of the last answer, zeros where they are missing', () => {
    const last = { inputTokens: 5, cachedInputTokens: 1, outputTokens: 2, reasoningOutputTokens: 3, totalTokens: 7 };
    const tokens = (input: number, cached: number, output: number, reasoning: number, total: number) => ({
      type: 'token_count',
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: reasoning,
      total_tokens: total,
    });
    expect(usage(initialTurn, { tokenUsage: { last } }).output).toEqual([tokens(5, 1, 2, 3, 7)]);
    expect(usage(initialTurn, {}).output).toEqual([tokens(0, 0, 0, 0, 0)]);
  });
});

describe('diff', () => {
  it('emits a diff once, and again when it has changed', () => {
    const first = diff(initialTurn, { diff: 'a' });
    expect(first.output).toEqual([{ type: 'turn_diff', unified_diff: 'a' }]);
    expect(diff(first.state, { diff: 'a' })).toEqual({ state: first.state, output: [] });
    expect(diff(first.state, { diff: 'b' }).output).toEqual([{ type: 'turn_diff', unified_diff: 'b' }]);
  });
});
