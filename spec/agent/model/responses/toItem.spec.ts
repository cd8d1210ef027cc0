import fc from 'fast-check';
import { toItem } from '../../../../src/agent/model/responses/responsesEvent';

const text = (type: string) => ({ type, text: 'a' });

describe('toItem', () => {
  it.each([
    [
      'a message',
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [text('output_text'), { type: 'input_image', image_url: 'u', more: 1 }],
        status: 's',
      },
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [text('output_text'), { type: 'input_image', image_url: 'u' }],
      },
    ],
    [
      'one without an id',
      { type: 'message', role: 'user', content: [text('input_text')] },
      { type: 'message', id: null, role: 'user', content: [text('input_text')] },
    ],
    [
      'a call',
      { type: 'function_call', id: 'f', name: 'n', arguments: '{}', call_id: 'c', x: 1 },
      { type: 'function_call', id: 'f', name: 'n', arguments: '{}', call_id: 'c' },
    ],
    [
      'a call with arguments in an object, and no id but that of the item',
      { type: 'function_call', id: 'f', name: 'n', arguments: { x: 1 } },
      { type: 'function_call', id: 'f', name: 'n', arguments: '{"x":1}', call_id: 'f' },
    ],
    [
      'a custom call',
      { type: 'custom_tool_call', name: 'n', input: 'i', call_id: 'c', status: 'done' },
      { type: 'custom_tool_call', id: null, status: 'done', name: 'n', input: 'i', call_id: 'c' },
    ],
    [
      'one without status',
      { type: 'custom_tool_call', id: 'x', name: 'n', input: '', call_id: '' },
      { type: 'custom_tool_call', id: 'x', name: 'n', input: '', call_id: '' },
    ],
    [
      'a message that refuses, and what it says',
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [text('output_text'), { type: 'refusal', refusal: 'no' }],
      },
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [text('output_text'), { type: 'output_text', text: 'no' }],
      },
    ],
    [
      'a native command, by the id of its item where it has no other',
      { type: 'local_shell_call', id: 'l', call_id: null, action: { type: 'exec', command: ['ls'] } },
      {
        type: 'local_shell_call',
        id: 'l',
        call_id: 'l',
        status: 'completed',
        action: { type: 'exec', command: ['ls'] },
      },
    ],
    [
      'reasoning',
      {
        type: 'reasoning',
        id: 'r',
        summary: [text('summary_text')],
        content: [text('reasoning_text')],
        encrypted_content: 'e',
      },
      {
        type: 'reasoning',
        id: 'r',
        summary: [text('summary_text')],
        content: [text('reasoning_text')],
        encrypted_content: 'e',
      },
    ],
    [
      'reasoning without text',
      { type: 'reasoning', id: 'r', summary: [], content: null },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: null },
    ],
  ])('reads %s', (_, item, expected) => {
    expect(toItem(item)).toEqual(expected);
  });

  it.each([
    ['what is not an object', 'message'],
    ['another type', { type: 'web_search_call', id: 'w' }],
    ['a message without role', { type: 'message', content: [] }],
    ['a message without content', { type: 'message', role: 'user' }],
    [
      'a message with an unknown part',
      { type: 'message', role: 'user', content: [text('output_text'), text('refusal')] },
    ],
    ['a message with a part that is not an object', { type: 'message', role: 'user', content: ['a'] }],
    ['a call without name', { type: 'function_call', arguments: '{}', call_id: 'c' }],
    ['a call without arguments', { type: 'function_call', name: 'n', call_id: 'c' }],
    ['a call without id', { type: 'function_call', name: 'n', arguments: '{}' }],
    ['a call without arguments in text', { type: 'function_call', name: 'n', arguments: ['x'], call_id: 'c' }],
    ['a custom call without input', { type: 'custom_tool_call', name: 'n', call_id: 'c' }],
    ['reasoning without id', { type: 'reasoning', summary: [] }],
    ['reasoning with a summary of another type', { type: 'reasoning', id: 'r', summary: [text('text')] }],
  ])('leaves out %s', (_, item) => {
    expect(toItem(item)).toBeUndefined();
  });

  it('throws for no value', () => {
    const types = fc.constantFrom('message', 'function_call', 'custom_tool_call', 'reasoning');
    const members = fc.record({
      id: fc.jsonValue(),
      content: fc.jsonValue(),
      summary: fc.jsonValue(),
      role: fc.jsonValue(),
    });
    fc.assert(
      fc.property(types, members, (type, item) => {
        expect([undefined, type]).toContain(toItem({ type, ...item })?.type);
      }),
    );
  });
});
