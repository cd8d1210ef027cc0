import { toSampled } from '../../../src/agent/sampling/sampleClient';

const message = (text: string) => ({
  kind: 'item',
  item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
});
const end = { kind: 'completed', responseId: '', usage: null };

describe('toSampled', () => {
  it.each([
    ['a text', { content: { type: 'text', text: 'hi' } }, [message('hi'), end]],
    [
      'texts and calls',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'tool_use', id: 'c', name: 'shell', input: { x: 1 } },
          { type: 'text', text: 'b' },
        ],
        stopReason: 'toolUse',
      },
      [
        message('a\nb'),
        { kind: 'item', item: { type: 'function_call', name: 'shell', arguments: '{"x":1}', call_id: 'c' } },
        end,
      ],
    ],
  ])('reads %s', (_, result, events) => {
    expect(toSampled(result)).toEqual({ events });
  });

  it.each([
    [
      'a limit',
      { content: { type: 'text', text: 'hal' }, stopReason: 'maxTokens' },
      'it was cut off at its token limit',
    ],
    ['nothing', { content: [] }, 'it has neither text nor a tool call'],
    ['a picture', { content: { type: 'image', data: '' } }, 'it has neither text nor a tool call'],
    ['what is no content', { content: 7 }, 'it has neither text nor a tool call'],
  ])('takes %s for no answer', (_, result, fault) => {
    expect(toSampled(result)).toEqual({ fault });
  });
});
