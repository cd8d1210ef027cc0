import { EMPTY, filter, map, NEVER, of, pipe, scan } from 'rxjs';
import { decodeResponses } from '../../../../src/agent/model/responses/decodeResponses';
import { responsesBody, responsesModel } from '../../../../src/agent/model/responses/responsesModel';
import type { ResponseItem } from '../../../../src/protocol/model/items';
import { ModelError } from '../../../../src/protocol/model/model';
import type { ModelRequest } from '../../../../src/protocol/model/request';
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
  text,
} from '../../../support/models';

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

  const encrypted = reasoning({ encrypted_content: 'e' });
  it.each<[string, string, ModelRequest, [name: string, value: unknown]]>([
    [
      'a summary of an organization that is not verified',
      'Your organization must be verified to generate reasoning summaries.',
      question({ reasoning: { effort: 'low', summary: 'auto' } }),
      ['reasoning', { effort: 'low' }],
    ],
    [
      'thoughts of another account',
      '{"error":{"code":"invalid_encrypted_content","message":"The encrypted content gAAA could not be verified."}}',
      question({ store: false, input: [encrypted, messageOf('assistant', 'hi')] }),
      ['input', [expect.objectContaining({ role: 'assistant' })]],
    ],
    ['store', "Unknown parameter: 'store'.", question({ store: false }), ['store', undefined]],
  ])('asks again at once without %s, and does not send it later', (_, text, request, [name, value]) => {
    marbles(({ expectObservable, flush }) => {
      const refusal = of(answer(of(text), { status: 400, statusText: 'Bad' }));
      const done = streamOf({ type: 'response.completed', response: { id: 'r' } });
      const server = serverOf([refusal, done, done]);
      const model = responsesModel({ ...httpDeps(server.post), version: '1' })(provider());
      for (const __ of [1, 2]) expectObservable(model(request)).toBe('(C|)', { C: completed('r') });
      flush();
      const values = server.sent.map(({ body }) => JSON.parse(body ?? '')[name]);
      expect(values).toEqual([expect.anything(), value, value]);
      expect(values[0]).not.toEqual(value);
    })();
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
      { ...messageOf('assistant', 'hi'), phase: 'commentary' } as ResponseItem,
      { type: 'message', role: 'assistant', content: expect.any(Array), phase: 'commentary' },
    ],
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

const json = (values: Record<string, object>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));

const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'ab' }] };
const call = { type: 'function_call', id: null, name: 'shell', arguments: '{}', call_id: 'call_1' };
const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'so' }] };

const chunk$ = json({
  n: { type: 'response.created', response: { id: 'resp_1' } },
  a: { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'a' },
  b: { type: 'response.output_text.delta', delta: 'b' },
  s: { type: 'response.reasoning_summary_part.added', item_id: 'rs_1' },
  r: { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', delta: 'so' },
  w: { type: 'response.reasoning_text.delta', item_id: 'rs_1', delta: 'raw' },
  m: { type: 'response.output_item.done', item: { ...message, status: 'completed' } },
  f: { type: 'response.output_item.done', item: call },
  t: { type: 'response.output_item.done', item: thought },
  c: { type: 'response.completed', response: { id: 'resp_1', usage: { input_tokens: 10, output_tokens: 5 } } },
  o: { type: 'response.completed', response: { usage: null } },
  x: { type: 'response.output_text.delta', delta: 7 },
});

const emitted = {
  A: text('a', 'msg_1'),
  B: text('b'),
  S: { kind: 'reasoningBreak', itemId: 'rs_1' },
  R: { kind: 'reasoning', itemId: 'rs_1', delta: 'so' },
  W: { kind: 'rawReasoning', itemId: 'rs_1', delta: 'raw' },
  M: item({ ...messageOf('assistant', 'ab'), id: 'msg_1' } as never),
  F: item(call as never),
  T: item({ ...thought, encrypted_content: null } as never),
  C: completed('resp_1', {
    input_tokens: 10,
    cached_input_tokens: null,
    output_tokens: 5,
    reasoning_output_tokens: null,
    total_tokens: 15,
  }),
};

const closed = new ModelError('stream disconnected before completion: stream closed before response.completed', true);

/** Each letter arrives by itself. */
const decodeEach = () =>
  pipe(
    map((datum: string) => [datum]),
    decodeResponses({ newId: () => 'call_new' }),
  );

describe('decodeResponses', () => {
  it(
    'emits deltas and items as they come and ends with response.completed, though the server stays',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const data$ = hot('  nabsrwtmfc---', chunk$);
      const expected = '   -ABSRWTMF(C|)';
      expectObservable(data$.pipe(decodeEach())).toBe(expected, emitted);
      expectSubscriptions(data$.subscriptions).toBe('^--------!');
    }),
  );

  it(
    'errors, retryable, when the stream ends before: after nothing, after something, after a completion without an id',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('--|', chunk$).pipe(decodeEach())).toBe('--#', emitted, closed);
      expectObservable(hot('-a|', chunk$).pipe(decodeEach())).toBe('-A#', emitted, closed);
      expectObservable(hot('-o|', chunk$).pipe(decodeEach())).toBe('--#', emitted, closed);
    }),
  );

  it(
    'joins deltas that arrive together, up to what is none',
    marbles(({ hot, expectObservable }) => {
      const { a, b, m, r, c } = chunk$ as Record<'a' | 'b' | 'm' | 'r' | 'c', string>;
      const { A, B, R } = emitted;
      const pieces = { p: [a, b, m, r], q: [a, c, b] };
      const values = { ...emitted, D: { kind: 'deltas', deltas: [A, B] } };
      expectObservable(hot('p-----q', pieces).pipe(decodeResponses({ newId: () => 'call_new' }))).toBe('(DMR)-(AC|)', {
        ...values,
        R,
      });
    }),
  );

  it(
    'emits what came before a failure in the same piece',
    marbles(({ hot, expectObservable }) => {
      const { a, b } = chunk$ as Record<'a' | 'b', string>;
      const failure = JSON.stringify({ type: 'error', message: 'broken' });
      const values = { D: { kind: 'deltas', deltas: [emitted.A, emitted.B] } };
      const error = new ModelError('stream disconnected before completion: broken', true);
      expectObservable(hot('-p', { p: [a, b, failure] }).pipe(decodeResponses({ newId: () => 'call_new' }))).toBe(
        '-(D#)',
        values,
        error,
      );
    }),
  );

  it(
    'errors at more items than any model sends, one by one and in a whole response',
    marbles(({ hot, expectObservable }) => {
      const error = new ModelError('the model server sent an answer of more than 1024 items', false);
      const [many, more] = [1024, 1025].map((count) => Array(count).fill(chunk$.f));
      const whole = { id: 'resp_1', output: Array(1025).fill(call) };
      const pieces = {
        p: many ?? [],
        q: more ?? [],
        w: [JSON.stringify({ type: 'response.completed', response: whole })],
      };
      const counted = { N: 1024 };
      const count = () =>
        pipe(
          decodeResponses({ newId: () => 'call_new' }),
          scan((n) => n + 1, 0),
          filter((n) => n === 1024),
        );
      expectObservable(hot('-p--', pieces).pipe(count())).toBe('-N--', counted);
      expectObservable(hot('-q--', pieces).pipe(count())).toBe('-(N#)', counted, error);
      expectObservable(hot('-w--', pieces).pipe(decodeResponses({ newId: () => 'call_new' }))).toBe('-#', {}, error);
    }),
  );

  it(
    'waits without end on silence and passes an error on',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('----', chunk$).pipe(decodeEach())).toBe('----');
      expectObservable(hot('-a-#', chunk$).pipe(decodeEach())).toBe('-A-#', emitted);
      expectObservable(hot('-a-b', chunk$).pipe(decodeEach()), '--!').toBe('-A', emitted);
    }),
  );

  it(
    'skips what it cannot read: no JSON, no object, no type, a delta that is no text',
    marbles(({ hot, expectObservable }) => {
      const values = { a: '{nope', b: '7', d: '{}', x: chunk$.x as string, Z: chunk$.c as string };
      expectObservable(hot('abdxZ', values).pipe(decodeEach())).toBe('----(C|)', emitted);
    }),
  );

  it(
    'emits the items of the whole response where no event brought one',
    marbles(({ hot, expectObservable }) => {
      const whole = (...output: object[]) =>
        JSON.stringify({ type: 'response.completed', response: { id: 'r', status: 'completed', output } });
      const done = JSON.stringify({ type: 'response.output_item.done', item: message });
      const values = { w: whole(message, call), e: whole(), i: done, b: whole(message) };
      const expected = { M: emitted.M, F: emitted.F, C: completed('r') };
      expectObservable(hot('w', values).pipe(decodeEach())).toBe('(MFC|)', expected);
      expectObservable(hot('e', values).pipe(decodeEach())).toBe('(C|)', expected);
      expectObservable(hot('ib', values).pipe(decodeEach())).toBe('M(C|)', expected);
    }),
  );

  it(
    'takes the status of a response for its end, whatever the event',
    marbles(({ hot, expectObservable }) => {
      const end = (response: object) =>
        JSON.stringify({ type: 'response.completed', response: { id: 'r', ...response } });
      const values = {
        i: end({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
        f: end({ status: 'failed', error: { code: 'server_error', message: 'boom' } }),
        k: JSON.stringify({ type: 'response.cancelled', response: { id: 'r' } }),
      };
      const broken = (text: string) => new ModelError(`stream disconnected before completion: ${text}`, true);
      const cut = new ModelError('Incomplete response returned, reason: max_output_tokens', false);
      expectObservable(hot('i', values).pipe(decodeEach())).toBe('#', {}, cut);
      expectObservable(hot('f', values).pipe(decodeEach())).toBe('#', {}, broken('boom'));
      expectObservable(hot('k', values).pipe(decodeEach())).toBe('#', {}, broken('response.cancelled event received'));
    }),
  );

  it(
    'emits what a model refuses as its text',
    marbles(({ hot, expectObservable }) => {
      const r = JSON.stringify({ type: 'response.refusal.delta', item_id: 'm', delta: 'no' });
      expectObservable(hot('r', { r }).pipe(decodeEach())).toBe('R', { R: { kind: 'text', itemId: 'm', delta: 'no' } });
    }),
  );

  it.each<[string, unknown]>([
    ['(none)', {}],
    ['computer_call', { type: 'computer_call' }],
    ['message', { ...message, role: 1 }],
    ['message', { ...message, content: 'text' }],
    ['message', { ...message, content: ['text'] }],
    ['function_call', { ...call, arguments: 7 }],
    ['function_call', { ...call, name: null }],
    ['reasoning', { ...thought, id: null }],
    ['reasoning', { ...thought, summary: [{ type: 'other', text: 'so' }] }],
  ])('names an item of the type %s that it does not know, or cannot read: %j', (type, item) =>
    marbles(({ hot, expectObservable }) => {
      const i = JSON.stringify({ type: 'response.output_item.done', item });
      expectObservable(hot('iZ', { i, Z: chunk$.c as string }).pipe(decodeEach())).toBe('u(C|)', {
        ...emitted,
        u: { kind: 'unknown', type },
      });
    })(),
  );

  it(
    'shows a search from its beginning to its end',
    marbles(({ hot, expectObservable }) => {
      const search = (type: string, action?: object) => ({ type, item: { type: 'web_search_call', id: 'w', action } });
      const values = json({
        a: search('response.output_item.added'),
        s: search('response.output_item.done', { type: 'search', query: 'rx' }),
        o: search('response.output_item.done', { type: 'open_page', url: 'https://h' }),
        m: { type: 'response.output_item.added', item: message },
      });
      expectObservable(hot('amso', values).pipe(decodeEach())).toBe('B-SO', {
        B: { kind: 'search', callId: 'w' },
        S: { kind: 'search', callId: 'w', query: 'rx' },
        O: { kind: 'search', callId: 'w', query: 'https://h' },
      });
    }),
  );

  it(
    'keeps images, thoughts and what is encrypted',
    marbles(({ hot, expectObservable }) => {
      const image = {
        type: 'message',
        id: null,
        role: 'user',
        content: [{ type: 'input_image', image_url: 'data:x' }],
      };
      const deep = { ...thought, content: [{ type: 'reasoning_text', text: 'raw' }], encrypted_content: 'xyz' };
      const data = json({
        i: { type: 'response.output_item.done', item: image },
        d: { type: 'response.output_item.done', item: deep },
      });
      const expected = { I: item(image as never), D: item(deep as never) };
      expectObservable(hot('id', data).pipe(decodeEach())).toBe('ID', expected);
    }),
  );

  const failures: [string, object, string, boolean][] = [
    ['a failure', { type: 'response.failed', response: { error: { code: 'x', message: 'zzz' } } }, 'zzz', true],
    ['a failure without text', { type: 'response.failed' }, 'response.failed event received', true],
    ['an error event', { type: 'error', code: 'server_error', message: 'down' }, 'down', true],
    ['a nested error event', { type: 'error', error: { message: 'down' } }, 'down', true],
  ];
  it.each(failures)('emits %s at once, with its text', (_, event, message, retryable) => {
    marbles(({ hot, expectObservable }) => {
      const error = new ModelError(`stream disconnected before completion: ${message}`, retryable);
      expectObservable(hot('ae-', { ...chunk$, e: JSON.stringify(event) }).pipe(decodeEach())).toBe(
        'A#',
        emitted,
        error,
      );
    })();
  });

  it.each(['context_length_exceeded', 'insufficient_quota', 'invalid_prompt'])(
    'does not offer a retry after %s',
    (code) => {
      marbles(({ hot, expectObservable }) => {
        const event = JSON.stringify({ type: 'response.failed', response: { error: { code, message: 'too much' } } });
        expectObservable(hot('e-', { e: event }).pipe(decodeEach())).toBe('#', {}, new ModelError('too much', false));
      })();
    },
  );

  it(
    'reports why a response is incomplete',
    marbles(({ hot, expectObservable }) => {
      const values = json({
        e: { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
        u: { type: 'response.incomplete' },
      });
      const incomplete = (reason: string) => new ModelError(`Incomplete response returned, reason: ${reason}`, false);
      expectObservable(hot('e', values).pipe(decodeEach())).toBe('#', {}, incomplete('max_output_tokens'));
      expectObservable(hot('u', values).pipe(decodeEach())).toBe('#', {}, incomplete('unknown'));
    }),
  );
});
