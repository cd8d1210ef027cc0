import { noMemory, remember, settle } from '../../src/agent/memory';
import type { Step } from '../../src/agent/step';
import type { FunctionCall, ResponseItem } from '../../src/protocol';
import { said } from '../support/models';
import { outputOf, reasoning, shell } from './support';

const [user, ok, hm] = [said('user', 'hi'), said('assistant', 'ok'), reasoning('r', 'hm')];
const [l, p] = [shell('l', 'ls'), shell('p', 'pwd')];
const item = (made: ResponseItem): Step => ({ kind: 'item', item: made });
const output = (call: FunctionCall, text: string): Step => ({ kind: 'output', call, text });

/** The conversation after these steps of an answer. */
const after = (...steps: Step[]): ResponseItem[] => {
  const memory = noMemory();
  for (const step of steps) remember(memory, step);
  return settle(memory);
};

describe('memory', () => {
  it.each<[string, Step[], ResponseItem[]]>([
    ['nothing of nothing', [], []],
    ['items as they came', [item(hm), item(ok)], [hm, ok]],
    ['an output behind its call', [item(l), output(l, '1')], [l, outputOf('l', '1')]],
    [
      'outputs behind all items, in the order of the calls',
      [item(l), item(p), output(p, '2'), item(ok), output(l, '1')],
      [l, p, ok, outputOf('l', '1'), outputOf('p', '2')],
    ],
    [
      'a call that was stopped',
      [item(l), item(p), output(p, '2')],
      [l, p, outputOf('l', 'aborted'), outputOf('p', '2')],
    ],
    ['no reasoning that led to nothing', [item(ok), item(hm), item(hm)], [ok]],
    ['nothing where there was but reasoning', [item(hm)], []],
    ['no step of another kind', [{ kind: 'stop' }, { kind: 'sample', attempt: 1, said: null }], []],
  ])('keeps %s', (_, steps, expected) => {
    expect(after(...steps)).toEqual(expected);
  });

  it('tells calls of the same id apart: some servers count anew in each answer', () => {
    const [one, two] = [shell('0', 'ls'), shell('0', 'pwd')];
    const memory = noMemory();
    remember(memory, item(one));
    remember(memory, output(one, '1'));
    settle(memory, user);
    remember(memory, item(two));
    expect(settle(memory)).toEqual([one, outputOf('0', '1'), user, two, outputOf('0', 'aborted')]);
  });

  it('gives away copies only', () => {
    const memory = noMemory();
    const before = settle(memory, user);
    remember(memory, item(ok));
    expect(settle(memory)).toEqual([user, ok]);
    expect(before).toEqual([user]);
  });
});
