import { NEVER, of, throwError } from 'rxjs';
import { models } from '../../../src/agent/model/models';
import type { HttpDeps } from '../../../src/agent/modelHttp/askHttp';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { ModelError } from '../../../src/protocol/model/model';
import type { Provider } from '../../../src/protocol/model/provider';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { marbles } from '../../support/marbles';
import {
  answer,
  completed,
  httpDeps,
  item,
  messageOf,
  provider,
  question,
  serverOf,
  sseOf,
  streamOf,
  text,
} from '../../support/models';

const noFile = () => {
  throw new Error('no such file');
};

const ask = (
  post: HttpDeps['post'],
  own: Partial<Provider> = {},
  asked: Partial<ModelRequest> = {},
  deps: Partial<HttpDeps> = {},
) => models({ ...httpDeps(post, deps), version: '1.2.3', readFile: noFile })(provider(own))(question(asked));

const done = { type: 'response.completed', response: { id: 'r' } };
const bodyOf = ({ sent }: ReturnType<typeof serverOf>) => JSON.parse(sent[0]?.body ?? 'null');

const asked = (own: Partial<Provider>, request: Partial<ModelRequest> = {}, env: Record<string, string> = {}) => {
  const server = serverOf([NEVER]);
  ask(server.post, own, request, { env }).subscribe().unsubscribe();
  return server;
};

const call: ResponseItem = { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'a' };
const output = (call_id: string): ResponseItem => ({ type: 'function_call_output', call_id, output: 'fine' });
const thought: ResponseItem = { type: 'reasoning', id: 'rs_1', summary: [] };
const tool = {
  type: 'function',
  name: 'shell',
  description: 'runs',
  strict: false,
  parameters: { type: 'object' },
} as const;

describe('models', () => {
  it(
    'emits what a Responses server sends',
    marbles(({ expectObservable }) => {
      const delta = { type: 'response.output_text.delta', item_id: 'm', delta: 'hi' };
      const { post } = serverOf([streamOf(delta, done)]);
      expectObservable(ask(post)).toBe('(TMC|)', {
        T: text('hi', 'm'),
        M: item({ ...messageOf('assistant', 'hi'), id: 'm' } as never),
        C: completed('r'),
      });
    }),
  );

  it(
    'emits what a Chat Completions server sends',
    marbles(({ expectObservable }) => {
      const { post } = serverOf([
        streamOf({ id: 'c', choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }, '[DONE]'),
      ]);
      const expected = { T: text('hi'), M: item(messageOf('assistant', 'hi')), C: completed('c') };
      expectObservable(ask(post, { wireApi: 'chat' })).toBe('(TMC|)', expected);
    }),
  );

  it(
    'names a call that a Chat Completions server leaves nameless',
    marbles(({ expectObservable }) => {
      const tool_calls = [{ index: 0, function: { name: 'shell', arguments: '{}' } }];
      const { post } = serverOf([streamOf({ choices: [{ delta: { tool_calls }, finish_reason: 'stop' }] }, '[DONE]')]);
      const expected = { F: item({ ...call, call_id: expect.stringMatching(/^call_\w+$/) }), C: completed() };
      expectObservable(ask(post, { wireApi: 'chat' })).toBe('(FC|)', expected);
    }),
  );

  it(
    'plays a script',
    marbles(({ expectObservable }) => {
      const broken = new ModelError('The script /s.json cannot be read: no such file', false);
      expectObservable(ask(serverOf([]).post, { wireApi: 'scripted', script: '/s.json' })).toBe('#', {}, broken);
    }),
  );

  it(
    'asks for nothing until somebody listens, and stops asking when nobody does',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('---a', { a: answer(NEVER) });
      const event$ = ask(() => answer$);
      expectSubscriptions(answer$.subscriptions).toBe('-^----!');
      expectObservable(event$, '-^----!').toBe('-------');
    }),
  );

  it(
    'ends after response.completed and lets the request go',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('-d---', { d: sseOf(done) });
      const answer$ = cold('-a---', { a: answer(body$) });
      expectObservable(ask(() => answer$)).toBe('--(C|)', { C: completed('r') });
      expectSubscriptions(body$.subscriptions).toBe('-^!');
      expectSubscriptions(answer$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'gives up a server that never answers, answers and falls silent, or breaks off',
    marbles(({ cold, expectObservable }) => {
      const timedOut = { requests: 1, timedOut: true };
      const idle = new ModelError(
        'stream disconnected before completion: idle timeout waiting for SSE',
        true,
        timedOut,
      );
      const lost = new ModelError(
        'stream disconnected before completion: Transport error: error decoding response body',
        true,
      );
      const silent = new ModelError(
        'no answer from http://mock/v1/responses within 0.5 s, which stream_idle_timeout_ms of the model provider sets',
        true,
        timedOut,
      );
      const fast = { streamIdleTimeoutMs: 500 };
      expectObservable(ask(() => NEVER, fast)).toBe('500ms #', {}, silent);
      expectObservable(ask(() => cold('400ms a', { a: answer(NEVER) }), fast)).toBe('900ms #', {}, idle);
      expectObservable(ask(() => of(answer(cold('-#'))), fast)).toBe('-#', {}, lost);
      expectObservable(ask(() => NEVER, { streamIdleTimeoutMs: 0 })).toBe('----');
    }),
  );

  it(
    'does not count the wait between attempts as silence',
    marbles(({ cold, expectObservable }) => {
      const busy = answer(of(''), { status: 429, statusText: 'Too Many Requests', headers: { 'retry-after': '9' } });
      const { post } = serverOf([of(busy), cold('-a', { a: answer(of(sseOf(done))) })]);
      const event$ = ask(post, { streamIdleTimeoutMs: 500, requestMaxRetries: 1 });
      expectObservable(event$).toBe('9001ms (C|)', { C: completed('r') });
    }),
  );

  it(
    'names the address it cannot reach, without its query, and the cause',
    marbles(({ expectObservable }) => {
      const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
      const untrusted = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO' });
      const own = { queryParams: { key: 'secret' } };
      const text = 'error sending request for url (http://mock/v1/responses)';
      const post = (error: Error) => () => throwError(() => error);
      const cause =
        'connect ECONNREFUSED 127.0.0.1:9 (nothing accepts connections there, is the model server running?)';
      expectObservable(ask(post(refused), own)).toBe('#', {}, new ModelError(`${text}: ${cause}`, true));
      expectObservable(ask(post(untrusted), own)).toBe(
        '#',
        {},
        new ModelError(`${text}: self-signed certificate`, true),
      );
      const invalid = ask(post(new TypeError('Invalid URL')), { requestMaxRetries: 3 });
      expectObservable(invalid).toBe('#', {}, new ModelError(`${text}: Invalid URL`, false));
    }),
  );

  it(
    'reports a bad status with the body as far as it comes, and never a key',
    marbles(({ cold, expectObservable }) => {
      const refusal = (body$: ReturnType<typeof cold<string>>) => () =>
        of(answer(body$, { status: 401, statusText: 'Unauthorized' }));
      const own = { envKey: 'K', envHttpHeaders: { 'x-key': 'X' } };
      const deps = { env: { K: 'sk-1', X: 'xyz' } };
      const remedy =
        'the server rejected the key in the environment variable `K`. Set it to a valid key and start the server again.';
      const unauthorized = (body: string) =>
        new ModelError(`unexpected status 401 Unauthorized: ${body}; ${remedy}`, false);
      const bad = { a: 'bad key ', b: 'sk-1 xyz' };
      expectObservable(ask(refusal(cold('ab|', bad)), own, {}, deps)).toBe('--#', {}, unauthorized('bad key *** ***'));
      expectObservable(ask(refusal(cold('a#', bad)), own, {}, deps)).toBe('-#', {}, unauthorized('bad key '));
      expectObservable(ask(refusal(cold('a--', bad)), own, {}, deps)).toBe('10s #', {}, unauthorized('bad key '));
      expectObservable(ask(refusal(cold('|')), own, {}, deps)).toBe('#', {}, unauthorized(''));
    }),
  );

  it(
    'does not repeat a request whose quota is spent',
    marbles(({ expectObservable }) => {
      const body = JSON.stringify({ error: { code: 'insufficient_quota' } });
      const { post } = serverOf([of(answer(of(body), { status: 429, statusText: 'Too Many Requests' }))]);
      const spent = new ModelError(`unexpected status 429 Too Many Requests: ${body}`, false);
      expectObservable(ask(post, { requestMaxRetries: 3 })).toBe('#', {}, spent);
    }),
  );

  it(
    'errors before it asks when the key is missing',
    marbles(({ expectObservable }) => {
      const server = serverOf([NEVER]);
      const missing = new ModelError('Missing environment variable: `K`.', false, { requests: 0, timedOut: false });
      expectObservable(ask(server.post, { envKey: 'K', requestMaxRetries: 3 })).toBe('#', {}, missing);
      expect(server.sent).toEqual([]);
    }),
  );
});

describe('responsesModel', () => {
  it('sends the headers that Codex sends, its own name, the key and those of the provider', () => {
    const server = asked(
      {
        envKey: 'K',
        httpHeaders: { version: '0.28.0', Originator: 'mine' },
        envHttpHeaders: { 'OpenAI-Project': 'PROJECT', 'OpenAI-Organization': 'BLANK', 'X-Unset': 'UNSET' },
      },
      {},
      { K: 'sk-1', PROJECT: 'p', BLANK: ' ' },
    );
    expect(server.sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'openai-beta': 'responses=experimental',
      session_id: 'thread-1',
      originator: 'mine',
      'user-agent': expect.stringMatching(/^codex-rx\/1\.2\.3 \(\S+ [^;]+; \S+\)$/),
      authorization: 'Bearer sk-1',
      version: '0.28.0',
      'openai-project': 'p',
    });
  });

  it.each([
    [{}, 'http://mock/v1/responses'],
    [{ baseUrl: 'http://mock/v1/' }, 'http://mock/v1/responses'],
    [{ baseUrl: undefined }, 'https://api.openai.com/v1/responses'],
    [{ queryParams: { 'api-version': '1 & 2', b: 'ä' } }, 'http://mock/v1/responses?api-version=1+%26+2&b=%C3%A4'],
  ])('asks %j at %s', (own, url) => {
    expect(asked(own).sent[0]?.url).toBe(url);
  });

  it('sends the whole conversation, keys in the known order', () => {
    const lost = { ...thought, id: 'rs_2' }; // without its content, a server that stores nothing cannot know it
    const input = [messageOf('user', 'hi'), { ...thought, encrypted_content: 'e' }, lost, call, output('a')];
    const server = asked({}, { input, tools: [tool], reasoning: { effort: 'low', summary: 'auto' }, store: false });
    expect(server.sent[0]?.body).toBe(
      JSON.stringify({
        model: 'm',
        instructions: 'be kind',
        input: [
          { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
          { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: 'e' },
          { type: 'function_call', id: null, name: 'shell', arguments: '{}', call_id: 'a' },
          { type: 'function_call_output', call_id: 'a', output: 'fine' },
        ],
        tools: [tool],
        tool_choice: 'auto',
        parallel_tool_calls: true,
        reasoning: { effort: 'low', summary: 'auto' },
        store: false,
        stream: true,
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'thread-1',
      }),
    );
  });

  it('sends thoughts back when they are raw reasoning, and the verbosity when it is set', () => {
    const raw = { ...thought, content: [{ type: 'reasoning_text', text: 'x' }], encrypted_content: 'e' };
    const plain = { ...thought, content: [{ type: 'text', text: 'x' }] };
    const body = bodyOf(asked({}, { input: [raw, plain], verbosity: 'low' }));
    expect(body.input).toEqual([raw, { ...thought, encrypted_content: null }]);
    expect([body.text, body.include, body.reasoning]).toEqual([{ verbosity: 'low' }, [], null]);
  });
});

describe('chatModel', () => {
  it('sends no more headers than it must', () => {
    const server = asked({ wireApi: 'chat', envKey: 'K' }, {}, { K: 'sk-1' });
    expect(server.sent[0]?.url).toBe('http://mock/v1/chat/completions');
    expect(server.sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: 'Bearer sk-1',
    });
  });

  it('sends the conversation as messages, an answer with its calls in one, no reasoning', () => {
    const input = [
      messageOf('user', 'hi'),
      thought,
      messageOf('assistant', 'so'),
      call,
      { ...call, call_id: 'b' },
      output('a'),
      output('b'),
    ];
    const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'shell', arguments: '{}' } });
    expect(bodyOf(asked({ wireApi: 'chat' }, { input, tools: [tool] }))).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'so', tool_calls: [toolCall('a'), toolCall('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'fine' },
        { role: 'tool', tool_call_id: 'b', content: 'fine' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'shell', description: 'runs', strict: false, parameters: { type: 'object' } },
        },
      ],
    });
  });

  it('sends images of the user, and leaves out tools where there are none', () => {
    const image = { type: 'input_image', image_url: 'data:x' } as const;
    const content = [{ type: 'input_text', text: 'see' } as const, image];
    const input: ResponseItem[] = [
      { type: 'message', role: 'user', content },
      { type: 'message', role: 'assistant', content },
    ];
    const body = bodyOf(asked({ wireApi: 'chat' }, { input }));
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:x' } },
        ],
      },
      { role: 'assistant', content: 'see' },
    ]);
    expect(body).not.toHaveProperty('tools');
  });
});
