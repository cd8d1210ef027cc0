import fc from 'fast-check';
import { toItem } from '../../../src/threads/lines/storedItems';

describe('toItem', () => {
  it.each<[string, object, object | undefined]>([
    [
      'a message of 0.28.0',
      { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    ],
    [
      'a message of 0.169.0 without what providers refuse',
      {
        ...{ type: 'message', id: 'm', role: 'assistant', status: 'completed', internal: 1 },
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }, { type: 'audio' }],
      },
      { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ],
    [
      'a picture',
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:', detail: 'high' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] },
    ],
    [
      'reasoning',
      {
        type: 'reasoning',
        id: 'r',
        summary: [{ type: 'summary_text', text: 'hm' }],
        content: null,
        encrypted_content: 'e',
      },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e' },
    ],
    [
      'a call',
      { type: 'function_call', id: 'f', name: 'shell', arguments: '{}', call_id: 'c', namespace: 'x' },
      { type: 'function_call', id: 'f', name: 'shell', arguments: '{}', call_id: 'c' },
    ],
    [
      'what a server wants back with a call',
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c', extra_content: { google: {} } },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c', extra_content: { google: {} } },
    ],
    [
      'a free-form call',
      { type: 'custom_tool_call', status: 'completed', name: 'apply_patch', input: '***', call_id: 'c' },
      { type: 'custom_tool_call', name: 'apply_patch', input: '***', call_id: 'c' },
    ],
    [
      'a call of the built-in shell',
      { type: 'local_shell_call', call_id: null, id: 'l', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'l' },
    ],
    [
      'an output in parts',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_text', text: 'a' }, { type: 'input_image' }],
      },
      { type: 'function_call_output', call_id: 'c', output: 'a' },
    ],
    [
      'an output in an object',
      { type: 'custom_tool_call_output', call_id: 'c', output: { content: 'a', success: true } },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'a' },
    ],
    ['a web search', { type: 'web_search_call' }, undefined],
  ])('reads %s', (_, item, expected) => {
    expect(toItem(item as never)).toEqual(expected);
  });

  it('reads any object', () => {
    const kinds = fc.constantFrom('message', 'reasoning', 'function_call', 'local_shell_call', 'function_call_output');
    const members = fc.dictionary(
      fc.constantFrom('role', 'content', 'output', 'summary', 'action', 'id'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(kinds, members, (type, rest) => {
        expect(typeof toItem({ ...rest, type })?.type).toBe('string');
      }),
    );
  });
});
