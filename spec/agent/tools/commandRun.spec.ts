import { toEvent } from '../../../src/agent/tools/commandOutcome';

describe('toEvent', () => {
  it('is an event of a tool', () => {
    const msg = { type: 'plan_update' as const, explanation: null, plan: [] };
    expect(toEvent(msg)).toEqual({ kind: 'event', msg });
  });
});
