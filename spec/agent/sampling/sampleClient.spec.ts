import { delay, merge, mergeMap, of } from 'rxjs';
import { sampleClient, toSampled, toSamplingParams } from '../../../src/agent/sampling/sampleClient';
import type { BegunTurn } from '../../../src/agent/thread/steps';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { ModelError } from '../../../src/protocol/model/model';
import type { ModelRequest } from '../../../src/protocol/model/request';
import { marbles } from '../../support/marbles';
import { turn } from '../support';

const request: ModelRequest = {
  threadId: 't',
  model: 'm',
  instructions: 'i',
  input: [],
  tools: [],
  reasoning: null,
  store: false,
};

/** A client that answers after three frames, and how it was asked. */
const clientSaying = (verdict: ReviewResult) => {
  const asked: unknown[] = [];
  const ask: Ask = (about, question, then) => {
    asked.push(about);
    return merge(
      of(question(7)),
      of(null).pipe(
        delay(3),
        mergeMap(() => then(verdict)),
      ),
    );
  };
  return { ask, asked };
};

const begun = (samples?: 'text' | 'tools') =>
  ({ op: { ...turn('a', { start: {} }), samples }, thread: { id: 'n1' } }) as unknown as BegunTurn;

const Q = {
  kind: 'sampling',
  callId: 'a',
  threadId: 'n1',
  question: 7,
  params: expect.objectContaining({ systemPrompt: 'i' }),
};
const m = {
  kind: 'item',
  item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
};
const z = { kind: 'completed', responseId: '', usage: null };
const sampled = { role: 'assistant', content: { type: 'text', text: 'hi' } };

describe('sampleClient', () => {
  it(
    'asks the client of the call, and emits its answer',
    marbles(({ expectObservable, flush }) => {
      const { ask, asked } = clientSaying({ decision: 'denied', sampled });
      expectObservable(sampleClient(ask, begun('text'), request)).toBe('Q--(mz|)', { Q, m, z });
      flush();
      expect(asked).toEqual([{ callId: 'a', askable: true, cannotAsk: expect.any(String) }]);
    }),
  );

  it.each<[string, ReviewResult, string]>([
    ['declines', { decision: 'denied', reason: 'the client answered the question with error -1: no' }, 'error -1: no'],
    ['approves, which is no answer', { decision: 'approved' }, 'it declined'],
    [
      'sends no text',
      { decision: 'denied', sampled: { ...sampled, content: [] } },
      'it has neither text nor a tool call',
    ],
  ])('fails where the client %s', (_, verdict, text) => {
    marbles(({ expectObservable }) => {
      const error = new ModelError(
        `no answer from the client's model: ${text.startsWith('error') ? verdict.reason : text}`,
        false,
      );
      expectObservable(sampleClient(clientSaying(verdict).ask, begun('tools'), request)).toBe('Q--#', { Q }, error);
    })();
  });

  it(
    'marks a client that cannot be asked',
    marbles(({ expectObservable, flush }) => {
      const { ask, asked } = clientSaying({ decision: 'denied' });
      const error = new ModelError("no answer from the client's model: it declined", false);
      expectObservable(sampleClient(ask, begun(), request)).toBe('Q--#', { Q: expect.anything() }, error);
      flush();
      expect(asked).toEqual([expect.objectContaining({ askable: false })]);
    }),
  );

  it(
    'stops to wait when it is unsubscribed',
    marbles(({ expectObservable }) => {
      const { ask } = clientSaying({ decision: 'denied', sampled });
      expectObservable(sampleClient(ask, begun('text'), request), '--!').toBe('Q', { Q });
    }),
  );
});

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

describe('toSamplingParams', () => {
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
});
