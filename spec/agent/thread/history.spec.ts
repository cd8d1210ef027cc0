import { of } from 'rxjs';
import { addStep, closeAnswer, type HistoryStep, noHistory, toUserMessage } from '../../../src/agent/thread/history';
import type { ReadImage } from '../../../src/agent/tools/builtInTools';
import { toInput } from '../../../src/protocol/codex/operations';
import type { ResponseItem, ToolCallItem } from '../../../src/protocol/model/items';
import { toStream } from '../../../src/streams/awaitable';
import { isPrompt, SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { marbles } from '../../support/marbles';
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

  it('keeps calls of the same id apart: some servers count from the start in each response', () => {
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

const read: ReadImage = (path) =>
  path === '/w/p.png' ? of({ kind: 'image', url: 'data:p' }) : of({ kind: 'unreadable', reason: 'it is not a file' });

describe('toUserMessage', () => {
  it.each([
    ['texts and pictures in their order', [...toInput('a'), { type: 'image', url: 'u' } as const], ['a', { url: 'u' }]],
    ['a picture of the disk', [{ type: 'localImage', path: 'p.png' } as const], [{ url: 'data:p' }]],
    [
      'the reason in place of a picture that cannot be read',
      [{ type: 'localImage', path: '/x' } as const],
      ['The picture /x could not be read: it is not a file'],
    ],
    ['nothing', [], []],
  ])('holds %s', (_, input, expected) =>
    marbles(({ expectObservable }) => {
      const content = expected.map((part) =>
        typeof part === 'string' ? { type: 'input_text', text: part } : { type: 'input_image', image_url: part.url },
      );
      expectObservable(toStream(toUserMessage(read, '/w', input))).toBe('(m|)', {
        m: { ...messageOf('user', ''), content },
      });
    })(),
  );

  it.each([
    ['a summary                 ', [`${SUMMARY_MARK}\nmine`]],
    ['a summary, in two pieces  ', [SUMMARY_MARK.slice(0, 9), SUMMARY_MARK.slice(9)]],
    ['an environment            ', ['<environment_context>\n</environment_context>']],
    ['instructions of a project ', ['# AGENTS.md instructions for /w']],
  ])('marks as the words of the user a text that begins as %s', (_, texts) => {
    const input = texts.flatMap(toInput);
    const message = toUserMessage(read, '/w', input) as ResponseItem;
    const content = ['The user writes:\n', ...texts].map((text) => ({ type: 'input_text', text }));
    expect(message).toEqual({ type: 'message', role: 'user', content });
    expect(isPrompt(message)).toBe(true);
  });
});
