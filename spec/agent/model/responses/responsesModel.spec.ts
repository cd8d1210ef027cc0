import { EMPTY, NEVER, of } from 'rxjs';
import { responsesBody, responsesModel } from '../../../../src/agent/model/responses/responsesModel';
import type { ResponseItem } from '../../../../src/protocol/model/items';
import { ModelError } from '../../../../src/protocol/model/model';
import type { ModelRequest } from '../../../../src/protocol/model/request';
import { marbles } from '../../../support/marbles';
import { answer, httpDeps, messageOf, provider, question, serverOf } from '../../../support/models';

const bodyOf = (request: ModelRequest) => responsesBody(request) as Record<string, unknown>;

const TEXT = { type: 'input_text' as const, text: 'look' };

const reasoning = (own: object): ResponseItem => ({ type: 'reasoning', id: 'r', summary: [], ...own });

describe('responsesBody', () => {
  it('has the request in the order that Codex sends', () => {
    const body = bodyOf(question());
    expect(body).toEqual({
      model: 'm',
      instructions: 'be kind',
      input: [{ id: null, ...messageOf('user', 'hi') }],
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: null,
      store: true,
      stream: true,
      include: [],
      prompt_cache_key: 'thread-1',
    });
    expect(Object.keys(body).join()).toBe(
      'model,instructions,input,tools,tool_choice,parallel_tool_calls,reasoning,store,stream,include,prompt_cache_key',
    );
  });

  it.each([
    [{ store: false, reasoning: { effort: 'low', summary: 'auto' } }, ['reasoning.encrypted_content']],
    [{ store: false, reasoning: null }, []],
    [{ store: true, reasoning: { effort: 'low', summary: 'auto' } }, []],
  ])('asks for encrypted reasoning where nothing is stored: %j', (own, include) => {
    expect(bodyOf(question(own as never)).include).toEqual(include);
  });

  it('has a verbosity where there is one', () => {
    expect(bodyOf(question({ verbosity: 'low' }))).toMatchObject({ text: { verbosity: 'low' } });
  });

  it.each<[ResponseItem, object]>([
    [
      { type: 'function_call', name: 'n', arguments: '{}', call_id: 'c' },
      { type: 'function_call', id: null, name: 'n', arguments: '{}', call_id: 'c' },
    ],
    [
      { type: 'custom_tool_call', id: 'x', status: 's', name: 'n', input: 'i', call_id: 'c' },
      { type: 'custom_tool_call', id: 'x', status: 's', call_id: 'c', name: 'n', input: 'i' },
    ],
    [
      { type: 'function_call_output', call_id: 'c', output: 'o' },
      { type: 'function_call_output', call_id: 'c', output: 'o' },
    ],
    [reasoning({}), { type: 'reasoning', id: 'r', summary: [], content: null, encrypted_content: null }],
    [
      reasoning({ content: [{ type: 'reasoning_text', text: 't' }] }),
      {
        type: 'reasoning',
        id: 'r',
        summary: [],
        content: [{ type: 'reasoning_text', text: 't' }],
        encrypted_content: null,
      },
    ],
    [
      reasoning({ content: [{ type: 'text', text: 't' }], encrypted_content: 'e' }),
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'e' },
    ],
    [
      { type: 'function_call', name: 'shell', arguments: '{"a', call_id: 'a' },
      { type: 'function_call', id: null, name: 'shell', arguments: '{"input":"{\\"a"}', call_id: 'a' },
    ],
    [messageOf('assistant', 'hi'), { type: 'message', role: 'assistant', content: expect.any(Array) }],
    [
      { ...messageOf('assistant', 'hi'), id: 'a' } as ResponseItem,
      { type: 'message', id: 'a', role: 'assistant', content: expect.any(Array) },
    ],
    [
      { type: 'message', role: 'user', content: [TEXT, { type: 'input_image', image_url: 'u' }] },
      {
        type: 'message',
        id: null,
        role: 'user',
        content: [TEXT, { type: 'input_image', image_url: 'u', detail: 'auto' }],
      },
    ],
    [
      { type: 'function_call_output', call_id: 'a', output: 'fine', images: ['u'] },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'fine' },
          { type: 'input_image', image_url: 'u', detail: 'auto' },
        ],
      },
    ],
    [
      { type: 'compaction', encrypted_content: 'e' },
      { type: 'compaction', encrypted_content: 'e' },
    ],
    [
      { type: 'web_search_call', status: 'completed' },
      { type: 'web_search_call', status: 'completed' },
    ],
  ])('sends back %j', (item, sent) => {
    expect(bodyOf(question({ input: [item] })).input).toEqual([sent]);
  });
});

describe('responsesModel', () => {
  it('names the originator of its provider, and limits the answer where the request does', () => {
    const server = serverOf([NEVER]);
    const model = responsesModel({ ...httpDeps(server.post), version: '1.2.3' })(provider({ originator: 'mine' }));
    model(question({ maxOutputTokens: 9 }))
      .subscribe()
      .unsubscribe();
    expect(server.sent[0]?.headers.originator).toBe('mine');
    expect(JSON.parse(server.sent[0]?.body ?? '')).toMatchObject({ max_output_tokens: 9 });
  });

  it('posts to responses with the headers of Codex', () => {
    const server = serverOf([NEVER]);
    responsesModel({ ...httpDeps(server.post), version: '1.2.3' })(provider())(question())
      .subscribe()
      .unsubscribe();
    expect(server.sent).toEqual([
      {
        url: 'http://mock/v1/responses',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'openai-beta': 'responses=experimental',
          session_id: 'thread-1',
          originator: 'codex_cli_rs',
          'user-agent': expect.stringMatching(/^codex-rx\/1\.2\.3 /),
        },
        connectMs: 0,
        body: JSON.stringify(responsesBody(question())),
      },
    ]);
  });

  it(
    'reports a server that fails as busy',
    marbles(({ expectObservable }) => {
      const { post } = serverOf([of(answer(EMPTY, { status: 500, statusText: 'Internal Server Error' }))]);
      const error = new ModelError("We're currently experiencing high demand, which may cause temporary errors.", true);
      expectObservable(responsesModel({ ...httpDeps(post), version: '1' })(provider())(question())).toBe(
        '#',
        {},
        error,
      );
    }),
  );
});
