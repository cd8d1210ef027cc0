import { runCall } from '../../src/agent/runCall';
import { marbles } from '../support/marbles';
import { around, call, first, fresh, modelOf, personOf, turnOf } from './support';

const plan = [{ step: 'look', status: 'in_progress' }];
const update = (args: object | string) => call('c', args, 'update_plan');

describe('runCall', () => {
  const deps = (ran: ReturnType<typeof around>) => ({
    ...ran.native,
    ask: personOf(undefined as never),
    ...fresh,
  });
  const turn = (includePlanTool: boolean) => turnOf(modelOf([]).model, { includePlanTool });
  const output = (made: ReturnType<typeof call>, text: unknown) => ({ kind: 'output' as const, call: made, text });

  it(
    'shows a plan where that tool was offered',
    marbles(({ expectObservable }) => {
      const told = { P: first.tell({ type: 'plan_update', explanation: null, plan: plan as never }) };
      const silent = update({ plan });
      expectObservable(runCall(deps(around({})))(turn(true), silent)).toBe('(PO|)', {
        ...told,
        O: output(silent, 'Plan updated'),
      });
      const spoken = update({ plan, explanation: 'so' });
      expectObservable(runCall(deps(around({})))(turn(true), spoken)).toBe('(PO|)', {
        P: first.tell({ type: 'plan_update', explanation: 'so', plan: plan as never }),
        O: output(spoken, 'Plan updated'),
      });
    }),
  );

  it.each([
    ['a tool nobody knows', call('c', {}, 'rm_rf'), true, 'unsupported call: rm_rf'],
    ['a tool that was not offered', update({ plan }), false, 'unsupported call: update_plan'],
    [
      'a shell call by its other name',
      call('c', {}, 'container.exec'),
      true,
      expect.stringMatching(/^failed to parse .*command/),
    ],
    ['a plan that is no JSON', update('{'), true, expect.stringMatching(/^failed to parse function arguments: /)],
    [
      'a plan with more than a plan',
      update({ plan, more: 1 }),
      true,
      expect.stringMatching(/^failed to parse function arguments: /),
    ],
  ])('tells the model of %s', (_, made, offered, text) => {
    marbles(({ expectObservable }) => {
      expectObservable(runCall(deps(around({})))(turn(offered), made)).toBe('(O|)', { O: output(made, text) });
    })();
  });
});
