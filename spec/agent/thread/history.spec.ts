import { addStep, closeAnswer, type HistoryStep, noHistory } from '../../../src/agent/thread/history';
import type { ResponseItem, ToolCallItem } from '../../../src/protocol/model/items';
import { messageOf } from '../../support/models';
import { custom, outputOf, reasoning, shell } from '../support';

const [user, ok, hm] = [messageOf('user', 'hi'), messageOf('assistant', 'ok'), reasoning('r', 'hm')];
const [l, p] = [shell('l', 'ls'), shell('p', 'pwd')];
const f = custom('f', 'apply_patch', 'a patch');
const item = (made: ResponseItem): HistoryStep => ({ kind: 'item', item: made });
const output = (call: ToolCallItem, text: string): HistoryStep => ({ kind: 'output', call, text });

/** The conversation after these steps of an answer. */
const after = (...steps: HistoryStep[]): readonly ResponseItem[] => closeAnswer(steps.reduce(addStep, noHistory)).past;

describe('closeAnswer', () => {
  it.each<[string, HistoryStep[], ResponseItem[]]>([
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
    [
      'a free-form call with an output of its own kind',
      [item(f), output(f, 'done')],
      [f, { type: 'custom_tool_call_output', call_id: 'f', output: 'done' }],
    ],
    ['no reasoning that led to nothing', [item(ok), item(hm), item(hm)], [ok]],
    ['nothing where there was but reasoning', [item(hm)], []],
  ])('keeps %s', (_, steps, expected) => {
    expect(after(...steps)).toEqual(expected);
  });

  it('keeps calls of the same id apart: some servers count anew in each response', () => {
    const [one, two] = [shell('0', 'ls'), shell('0', 'pwd')];
    const first = closeAnswer([item(one), output(one, '1')].reduce(addStep, noHistory), user);
    expect(closeAnswer(addStep(first, item(two))).past).toEqual([
      one,
      outputOf('0', '1'),
      user,
      two,
      outputOf('0', 'aborted'),
    ]);
  });

  it('leaves nothing open', () => {
    expect(closeAnswer(addStep(noHistory, item(ok)), user)).toEqual({
      past: [ok, user],
      items: [],
      outputs: [],
    });
  });
});

describe('addStep', () => {
  it('leaves the history before it as it was', () => {
    const before = addStep(noHistory, item(l));
    const copy = structuredClone(before);
    addStep(before, item(ok));
    addStep(before, output(l, '1'));
    expect(before).toEqual(copy);
    expect(noHistory).toEqual({ past: [], items: [], outputs: [] });
  });
});
