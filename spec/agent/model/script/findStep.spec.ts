import { findStep } from '../../../../src/agent/model/script/findStep';
import type { ResponseItem } from '../../../../src/protocol/model/items';
import { messageOf } from '../../../support/models';

const step = (text: string) => ({ items: [{ text }] });
const call = (call_id: string): ResponseItem => ({ type: 'function_call', name: 'shell', arguments: '{}', call_id });
const output = (call_id: string, text = 'out'): ResponseItem => ({
  type: 'function_call_output',
  call_id,
  output: text,
});
const custom = (call_id: string): ResponseItem => ({ type: 'custom_tool_call_output', call_id, output: 'custom' });

const script = {
  scenes: [
    { when: '^go', answers: [step('first'), step('second')] },
    { when: 'o', answers: [step('other')] },
  ],
  otherwise: step('else'),
};

describe('findStep', () => {
  it.each<[string, ResponseItem[], object]>([
    [
      'the first scene that matches',
      [messageOf('user', 'go on')],
      { place: 'scenes[0].answers[0]', step: step('first'), prompt: 'go on', output: '', made: 0 },
    ],
    [
      'the scene of the last user message',
      [messageOf('user', 'go'), messageOf('assistant', 'well'), messageOf('user', 'no')],
      { place: 'scenes[1].answers[0]', step: step('other'), prompt: 'no', output: '', made: 1 },
    ],
    [
      'the scene of a user message that is not the last one',
      [messageOf('user', 'go'), messageOf('assistant', 'o')],
      { place: 'scenes[0].answers[0]', step: step('first'), prompt: 'go', output: '', made: 1 },
    ],
    [
      'the answer after a round of calls made together',
      [messageOf('user', 'go'), call('a'), call('b'), output('a'), output('b', 'last')],
      { place: 'scenes[0].answers[1]', step: step('second'), prompt: 'go', output: 'last', made: 2 },
    ],
    [
      'nothing after more rounds than answers',
      [messageOf('user', 'go'), output('a'), call('b'), custom('b')],
      { place: 'otherwise', step: step('else'), prompt: 'go', output: 'custom', made: 1 },
    ],
    [
      'nothing where no scene matches',
      [messageOf('user', 'x')],
      { place: 'otherwise', step: step('else'), prompt: 'x', output: '', made: 0 },
    ],
    ['nothing without a user message', [], { place: 'otherwise', step: step('else'), prompt: '', output: '', made: 0 }],
  ])('finds %s', (_, input, expected) => {
    expect(findStep(script, { input })).toEqual(expected);
  });

  it('has an answer of its own for an empty script', () => {
    expect(findStep({}, { input: [messageOf('user', 'hi')] })).toMatchObject({
      place: 'otherwise',
      step: { items: [{ text: 'The script has no answer for this.' }] },
    });
  });

  it('joins the texts of a message by lines, without images', () => {
    const content = [
      { type: 'input_text' as const, text: 'a' },
      { type: 'input_image' as const, image_url: 'u' },
      { type: 'input_text' as const, text: 'b' },
    ];
    expect(findStep(script, { input: [{ type: 'message', role: 'user', content }] }).prompt).toBe('a\nb');
  });

  it.each([
    ['{"output":"text"}', 'text'],
    ['{"output":1}', '{"output":1}'],
    ['{no JSON', '{no JSON'],
    ['plain', 'plain'],
  ])('reads the output %s as %s', (text, read) => {
    expect(findStep(script, { input: [output('a', text)] }).output).toBe(read);
  });

  it('counts what the model made: reasoning, calls and messages of its own', () => {
    const input: ResponseItem[] = [
      messageOf('user', 'x'),
      { type: 'reasoning', id: 'r', summary: [] },
      call('a'),
      { type: 'custom_tool_call', name: 'n', input: '', call_id: 'b' },
      output('a'),
      messageOf('assistant', 'y'),
      messageOf('developer', 'z'),
    ];
    expect(findStep(script, { input }).made).toBe(4);
  });
});
