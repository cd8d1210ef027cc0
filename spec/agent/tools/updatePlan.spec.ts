import { updatePlan } from '../../../src/agent/tools/builtInTools';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { marbles } from '../../support/marbles';

const plan = [{ step: 'look', status: 'in_progress' as const }];
const call = (args: string) => ({ callId: 'c', args, isApproved: () => false });

describe('updatePlan', () => {
  it.each([
    ['a plan', JSON.stringify({ plan }), { verdict: 'run', plan: { plan } }],
    [
      'a plan that is not JSON',
      '{',
      { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arg/) },
    ],
    [
      'a plan with more than a plan',
      JSON.stringify({ plan, more: 1 }),
      { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments: .*more/) },
    ],
  ])('assesses %s', (_, args, assessed) =>
    marbles(({ expectObservable }) => {
      expectObservable(updatePlan().assess(call(args))).toBe('(a|)', { a: assessed });
    })(),
  );

  it.each<[string, { explanation?: string }, string | null]>([
    ['with an explanation', { explanation: 'so' }, 'so'],
    ['without one', {}, null],
  ])('shows a plan %s', (_, given, explanation) =>
    marbles(({ expectObservable }) => {
      const msg: EventMsg = { type: 'plan_update', explanation, plan };
      expectObservable(updatePlan().run({ plan, ...given }, 'direct')).toBe('(PO|)', {
        P: { kind: 'event', msg },
        O: { kind: 'output', text: 'Plan updated' },
      });
    })(),
  );
});
