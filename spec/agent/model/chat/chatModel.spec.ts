import { EMPTY, NEVER, of } from 'rxjs';
import { chatBody, chatModel } from '../../../../src/agent/model/chat/chatModel';
import type { ResponseItem } from '../../../../src/protocol/model/items';
import { ModelError } from '../../../../src/protocol/model/model';
import { marbles } from '../../../support/marbles';
import {
  answer,
  completed,
  httpDeps,
  item,
  messageOf,
  provider,
  question,
  serverOf,
  streamOf,
} from '../../../support/models';

describe('chatModel', () => {
  it('posts to chat/completions, without headers of its own', () => {
    const server = serverOf([NEVER]);
    chatModel(httpDeps(server.post))(provider())(question()).subscribe().unsubscribe();
    expect(server.sent).toEqual([
      {
        url: 'http://mock/v1/chat/completions',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        connectMs: 0,
        body: JSON.stringify(chatBody(question(), provider())),
      },
    ]);
  });

  it('limits the answer where the request does', () => {
    expect(chatBody(question({ maxOutputTokens: 9 }), provider())).toMatchObject({ max_tokens: 9 });
    const openai = provider({ baseUrl: 'https://api.openai.com/v1' });
    expect(chatBody(question({ maxOutputTokens: 9 }), openai)).toMatchObject({ max_completion_tokens: 9 });
  });

  it('limits the answer under the name for which a server asks', () => {
    const refused = { members: new Set(['max_tokens']), schemas: {} };
    const body = chatBody(question({ maxOutputTokens: 9 }), provider(), refused);
    expect(body).toMatchObject({ max_completion_tokens: 9 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it.each<[string, number, string, object[]]>([
    ['stream_options', 400, 'Argument not supported on this model: stream_options', [{}]],
    [
      'stream_options',
      422,
      '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
      [{}],
    ],
    ['reasoning_content', 400, 'reasoning_content is not supported', [{ reasoning_content: 'hm' }]],
  ])(
    'asks again at once without %s, which a server refused with %d, and does not send it later',
    (member, status, text, extra) => {
      marbles(({ expectObservable, flush }) => {
        const refusal = of(answer(of(text), { status, statusText: 'Bad' }));
        const done = streamOf({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }, '[DONE]');
        const server = serverOf([refusal, done, done]);
        const input = extra.flatMap((extra_content): ResponseItem[] => [
          { type: 'reasoning', id: '', summary: [], extra_content: extra_content as never },
          call('a'),
        ]);
        const model = chatModel(httpDeps(server.post))(provider());
        for (const _ of [1, 2])
          expectObservable(model(question({ input }))).toBe('(TMC|)', {
            T: { kind: 'text', itemId: '', delta: 'hi' },
            M: item(messageOf('assistant', 'hi')),
            C: completed(),
          });
        flush();
        expect(server.sent.map(({ body }) => body?.includes(member))).toEqual([true, false, false]);
      })();
    },
  );

  it(
    'reports a refusal that nothing can be left out for',
    marbles(({ expectObservable, flush }) => {
      const text = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
      const server = serverOf([of(answer(of(text), { status: 400, statusText: 'Bad' }))]);
      const error = new ModelError(`unexpected status 400 Bad: ${text}`, false);
      expectObservable(chatModel(httpDeps(server.post))(provider())(question())).toBe('#', {}, error);
      flush();
      expect(server.sent).toHaveLength(1);
    }),
  );

  it(
    'makes an id for a call that has none',
    marbles(({ expectObservable }) => {
      const call = { index: 0, function: { name: 'shell', arguments: '{}' } };
      const { post } = serverOf([
        streamOf(
          { choices: [{ delta: { tool_calls: [call] } }] },
          { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
          '[DONE]',
        ),
      ]);
      expectObservable(chatModel(httpDeps(post))(provider())(question())).toBe('(FC|)', {
        F: item({
          type: 'function_call',
          name: 'shell',
          arguments: '{}',
          call_id: `call_${(2 ** 51).toString(36)}`,
        }),
        C: completed(),
      });
    }),
  );

  it(
    'reports a server that fails as one that failed',
    marbles(({ expectObservable }) => {
      const { post } = serverOf([of(answer(EMPTY, { status: 500, statusText: 'Internal Server Error' }))]);
      const error = new ModelError('exceeded retry limit, last status: 500 Internal Server Error', true);
      expectObservable(chatModel(httpDeps(post))(provider())(question())).toBe('#', {}, error);
    }),
  );
});

const call = (call_id: string): ResponseItem => ({
  type: 'function_call',
  name: 'shell',
  arguments: '{"a":1}',
  call_id,
});
const toolCall = (id: string, args = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name: 'shell', arguments: args },
});
const bodyOf = (...input: ResponseItem[]) => chatBody(question({ input }), provider());
const system = { role: 'system', content: 'be kind' };

describe('chatBody', () => {
  it('has the model, the instructions and a stream with usage; no tools where there are none', () => {
    expect(bodyOf(messageOf('user', 'hi'))).toEqual({
      model: 'm',
      messages: [system, { role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('asks Mistral for no usage, which it sends unasked and would refuse to be asked for', () => {
    const toServer = (baseUrl: string) => chatBody(question({}), provider({ baseUrl }));
    expect(toServer('https://api.mistral.ai/v1')).not.toHaveProperty('stream_options');
    expect(toServer('https://mistral.ai.example.com/v1')).toHaveProperty('stream_options');
  });

  it('sends back what a server added to a call', () => {
    const extra_content = { google: { thought_signature: 's' } };
    expect(bodyOf({ ...call('a'), extra_content } as ResponseItem).messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ ...toolCall('a'), extra_content }],
    });
  });

  it('has a tool as a function', () => {
    const tool = { type: 'function' as const, name: 'shell', description: 'runs', strict: false, parameters: {} };
    const { type, ...rest } = tool;
    expect(chatBody(question({ tools: [tool] }), provider())).toMatchObject({ tools: [{ type, function: rest }] });
  });

  it('joins calls made together, and separates those with an output between', () => {
    const custom: ResponseItem = { type: 'custom_tool_call', name: 'shell', input: 'text', call_id: 'b' };
    const output: ResponseItem = { type: 'function_call_output', call_id: 'a', output: 'fine' };
    const { messages } = bodyOf(
      call('a'),
      custom,
      output,
      { ...output, type: 'custom_tool_call_output', call_id: 'b' },
      call('c'),
    );
    expect(messages).toEqual([
      system,
      { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b', '{"input":"text"}')] },
      { role: 'tool', tool_call_id: 'a', content: 'fine' },
      { role: 'tool', tool_call_id: 'b', content: 'fine' },
      { role: 'assistant', content: null, tool_calls: [toolCall('c')] },
    ]);
  });

  it('has the arguments of a call that was cut off in an object, as servers parse them', () => {
    const cut: ResponseItem = { type: 'function_call', name: 'shell', arguments: '{"a', call_id: 'a' };
    expect(bodyOf(cut).messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [toolCall('a', '{"input":"{\\"a"}')],
    });
  });

  it('sends the thoughts that a server added to calls back with these, and no others', () => {
    const thought = (extra_content?: object): ResponseItem =>
      ({ type: 'reasoning', id: '', summary: [], ...(extra_content && { extra_content }) }) as ResponseItem;
    const output: ResponseItem = { type: 'function_call_output', call_id: 'a', output: 'fine' };
    const input = [
      thought({ reasoning_content: 'hm' }),
      messageOf('assistant', 'I look'),
      call('a'),
      output,
      thought(),
    ];
    const messages = [
      system,
      { role: 'assistant', content: 'I look', reasoning_content: 'hm', tool_calls: [toolCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: 'fine' },
    ];
    expect(bodyOf(...input).messages).toEqual(messages);
    const { reasoning_content: _, ...calling } = messages[1] as { reasoning_content: string };
    const refused = { members: new Set(['thoughts']), schemas: {} };
    expect(chatBody(question({ input }), provider(), refused).messages).toEqual([system, calling, messages[2]]);
  });

  it('joins neighbours of one role, and has the instructions of the developer in the first message', () => {
    const picture: ResponseItem = { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'u' }] };
    expect(
      bodyOf(
        messageOf('developer', 'be brief'),
        messageOf('user', 'here'),
        messageOf('user', 'hi'),
        messageOf('assistant', 'hello'),
        messageOf('developer', 'be long'),
        messageOf('assistant', 'there'),
        messageOf('user', 'see'),
        picture,
      ).messages,
    ).toEqual([
      { role: 'system', content: 'be kind\n\nbe brief\n\nbe long' },
      { role: 'user', content: 'here\n\nhi' },
      { role: 'assistant', content: 'hello\n\nthere' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'u' } },
        ],
      },
    ]);
  });

  it('shows the pictures of outputs after all outputs of an answer, and leaves out what only another API has', () => {
    const output = (call_id: string): ResponseItem => ({
      type: 'function_call_output',
      call_id,
      output: 'fine',
      images: ['u'],
    });
    const hidden: ResponseItem[] = [{ type: 'compaction', encrypted_content: 'e' }, { type: 'web_search_call' }];
    const picture = { type: 'image_url', image_url: { url: 'u' } };
    expect(
      bodyOf(...hidden, call('a'), call('b'), output('a'), output('b'), messageOf('assistant', 'ok')).messages,
    ).toEqual([
      system,
      { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'fine' },
      { role: 'tool', tool_call_id: 'b', content: 'fine' },
      { role: 'user', content: [picture, picture] },
      { role: 'assistant', content: 'ok' },
    ]);
  });

  it('leaves reasoning out, and joins calls across it', () => {
    const reasoning: ResponseItem = { type: 'reasoning', id: 'r', summary: [] };
    expect(bodyOf(call('a'), reasoning, call('b')).messages).toEqual([
      system,
      { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b')] },
    ]);
  });

  it.each([
    [
      'user',
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'u' } },
      ],
    ],
    ['assistant', 'a'],
  ])('has an image of the %s where servers take one', (role, content) => {
    const parts = [
      { type: 'input_text' as const, text: 'a' },
      { type: 'input_image' as const, image_url: 'u' },
    ];
    expect(bodyOf({ type: 'message', role, content: parts }).messages[1]).toEqual({ role, content });
  });
});
