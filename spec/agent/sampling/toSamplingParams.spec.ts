import { toSamplingParams } from '../../../src/agent/sampling/sampleClient';
import type { ResponseItem } from '../../../src/protocol/model/items';
import type { ModelRequest } from '../../../src/protocol/model/request';

const message = (role: string, ...texts: string[]): ResponseItem => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
});

const request = (input: ResponseItem[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  threadId: 't',
  model: 'm',
  instructions: 'Be kind.',
  input,
  reasoning: null,
  store: false,
  tools: [
    { type: 'function', name: 'shell', description: 'Runs.', strict: false, parameters: { type: 'object' } },
    { type: 'local_shell' },
  ],
  ...more,
});

const text = (words: string) => ({ type: 'text', text: words });

describe('toSamplingParams', () => {
  it('has instructions, a hint of the model, and the conversation, one content a message', () => {
    const input = [message('user', 'env', 'hi'), message('assistant', 'yes'), message('user', 'more')];
    expect(toSamplingParams(request(input), 'text')).toEqual({
      messages: [
        { role: 'user', content: text('env') },
        { role: 'user', content: text('hi') },
        { role: 'assistant', content: text('yes') },
        { role: 'user', content: text('more') },
      ],
      modelPreferences: { hints: [{ name: 'm' }] },
      systemPrompt: 'Be kind.',
      includeContext: 'none',
      maxTokens: 8192,
    });
  });

  it('has tools, their calls and their results for a client that takes them, results in a message of their own', () => {
    const input: ResponseItem[] = [
      message('user', 'env'),
      message('user', 'list'),
      message('assistant', 'I look.'),
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', name: 'shell', arguments: '{"a":1}', call_id: 'c' },
      { type: 'function_call', name: 'shell', arguments: 'no json', call_id: 'd' },
      { type: 'function_call_output', call_id: 'c', output: 'one' },
      { type: 'function_call_output', call_id: 'd', output: 'two' },
      message('user', 'go on'),
    ];
    const result = (toolUseId: string, words: string) => ({ type: 'tool_result', toolUseId, content: [text(words)] });
    expect(toSamplingParams(request(input, { maxOutputTokens: 9 }), 'tools')).toMatchObject({
      messages: [
        { role: 'user', content: [text('env'), text('list')] },
        {
          role: 'assistant',
          content: [
            text('I look.'),
            { type: 'tool_use', id: 'c', name: 'shell', input: { a: 1 } },
            { type: 'tool_use', id: 'd', name: 'shell', input: {} },
          ],
        },
        { role: 'user', content: [result('c', 'one'), result('d', 'two')] },
        { role: 'user', content: text('go on') },
      ],
      maxTokens: 9,
      tools: [{ name: 'shell', description: 'Runs.', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'auto' },
    });
  });

  it('has pictures with their bytes, and the address of one that has none', () => {
    const picture = (image_url: string): ResponseItem => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url }],
    });
    const input = [picture('data:image/png;base64,AAAA'), picture('https://x.test/a.png')];
    expect(toSamplingParams(request(input), 'text').messages).toEqual([
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
      { role: 'user', content: text('https://x.test/a.png') },
    ]);
  });
});
