import { models } from '../../../../src/agent/model/models';
import { parseScript } from '../../../../src/agent/model/script/scriptedModel';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import type { ModelEvent } from '../../../../src/protocol/model/events';
import type { ResponseItem } from '../../../../src/protocol/model/items';
import { ModelError } from '../../../../src/protocol/model/model';
import type { ModelRequest } from '../../../../src/protocol/model/request';
import { marbles } from '../../../support/marbles';
import {
  completed,
  httpDeps,
  item,
  messageOf,
  noBackpressure,
  provider,
  question,
  text,
} from '../../../support/models';

const play = (script: unknown, own: Parameters<typeof provider>[0] = {}) => {
  const read: string[] = [];
  const readFile = (path: string) => {
    read.push(path);
    return typeof script === 'string' ? script : JSON.stringify(script);
  };
  const deps = { ...httpDeps(() => noBackpressure.drain$ as never), version: '0', readFile };
  const model = models(deps)(provider({ wireApi: 'scripted', script: '/s.json', ...own }));
  return { ask: (request: Partial<ModelRequest> = {}) => model(question(request)), read };
};

const says = (words: string, more: object = {}) => ({ items: [{ text: words, deltas: 0 }], ...more });
const spoken = (words: string, n = 0): ModelEvent =>
  item({ ...messageOf('assistant', words), id: `msg_${n}` } as ResponseItem);
const call = (call_id: string): ResponseItem => ({ type: 'function_call', name: 'shell', arguments: '{}', call_id });
const output = (call_id: string, words = 'out'): ResponseItem => ({
  type: 'function_call_output',
  call_id,
  output: words,
});

describe('scriptedModel', () => {
  it(
    'plays the first scene that fits the last user message',
    marbles(({ expectObservable }) => {
      const { ask } = play({
        scenes: [
          { when: '^hello', answers: [says('one')] },
          { when: 'hello', answers: [says('two')] },
        ],
        otherwise: says('three'),
      });
      const asked = (...words: string[]) => ask({ input: words.map((word) => messageOf('user', word)) });
      const expected = { a: spoken('one'), b: spoken('two'), c: spoken('three'), C: completed('resp_0') };
      expectObservable(asked('say hello', 'hello you')).toBe('(aC|)', expected);
      expectObservable(asked('hello', 'say hello')).toBe('(bC|)', expected);
      expectObservable(asked('hello', 'bye')).toBe('(cC|)', expected);
      expectObservable(ask({ input: [] })).toBe('(cC|)', expected);
    }),
  );

  it(
    'takes the step of the tool round, counted from that message on, and then has no answer',
    marbles(({ expectObservable }) => {
      const { ask } = play({ scenes: [{ when: '', answers: [says('first'), says('second')] }] });
      const before = [messageOf('user', 'hi'), call('x'), output('x'), messageOf('assistant', 'done')];
      const input = [...before, messageOf('user', 'go'), call('a'), call('b'), output('a'), output('b')];
      const more = [...input, call('c'), output('c')];
      const at = (n: number) => completed(`resp_${n}`);
      expectObservable(ask({ input: input.slice(0, 5) })).toBe('(aC|)', { a: spoken('first', 2), C: at(2) });
      expectObservable(ask({ input })).toBe('(bC|)', { b: spoken('second', 4), C: at(4) });
      expectObservable(ask({ input: more })).toBe('(DcC|)', {
        D: text('The script has no answer for this.', 'msg_5'),
        c: spoken('The script has no answer for this.', 5),
        C: at(5),
      });
    }),
  );

  it(
    'cuts texts into deltas, by number or by list, never inside a character',
    marbles(({ expectObservable }) => {
      const items = [{ text: 'ab😀de', deltas: 3 }, { text: 'xyz', deltas: ['x', 'yz'] }, { text: '' }];
      const { ask } = play({ otherwise: { items } });
      expectObservable(ask()).toBe('(123M45NLC|)', {
        1: text('ab', 'msg_0'),
        2: text('😀d', 'msg_0'),
        3: text('e', 'msg_0'),
        M: spoken('ab😀de'),
        4: text('x', 'msg_1'),
        5: text('yz', 'msg_1'),
        N: spoken('xyz', 1),
        L: spoken('', 2),
        C: completed('resp_0'),
      });
    }),
  );

  it(
    'emits reasoning part by part and calls with ids that no thread sees twice',
    marbles(({ expectObservable }) => {
      const items = [
        { reasoning: ['so', 'then'] },
        { delayMs: 0 },
        { call: 'shell', args: { command: ['ls'] } },
        { call: 'shell', args: '{broken', id: 'mine' },
      ];
      const usage = { input_tokens: 3, output_tokens: 4, cached_input_tokens: 1 };
      const { ask } = play({ otherwise: { items, usage } });
      const input = [messageOf('user', 'hi'), messageOf('assistant', 'yes'), messageOf('user', 'go')];
      const reasoning = (delta: string): ModelEvent => ({ kind: 'reasoning', itemId: 'rs_1', delta });
      const summary = ['so', 'then'].map((words) => ({ type: 'summary_text' as const, text: words }));
      expectObservable(ask({ input })).toBe('(b1b2RFGC|)', {
        b: { kind: 'reasoningBreak', itemId: 'rs_1' },
        1: reasoning('so'),
        2: reasoning('then'),
        R: item({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: null }),
        F: item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_2' }),
        G: item({ type: 'function_call', name: 'shell', arguments: '{broken', call_id: 'mine' }),
        C: completed('resp_1', {
          input_tokens: 3,
          cached_input_tokens: 1,
          output_tokens: 4,
          reasoning_output_tokens: null,
          total_tokens: 7,
        }),
      });
    }),
  );

  it(
    'keeps the delays of the step, of its deltas and between its items',
    marbles(({ expectObservable }) => {
      const items = [{ text: 'ab', deltas: 2 }, { delayMs: 100 }, { text: 'c', deltas: 0 }];
      const { ask } = play({ otherwise: { items, delayMs: 50, deltaDelayMs: 10 } });
      const expected = {
        a: text('a', 'msg_0'),
        b: text('b', 'msg_0'),
        M: spoken('ab'),
        N: spoken('c', 1),
        C: completed('resp_0'),
      };
      expectObservable(ask()).toBe('60ms a 9ms (bM) 96ms (NC|)', expected);
      expectObservable(ask(), '^ 64ms !').toBe('60ms a', expected);
    }),
  );

  it.each([
    ['plain $& text', 'plain $& text'],
    ['{"output":"inside","metadata":{}}', 'inside'],
    ['{"output":7}', '{"output":7}'],
    ['{no json', '{no json'],
  ])('puts the output of the last call and the prompt into texts: %s', (words, shown) => {
    marbles(({ expectObservable }) => {
      const { ask } = play({ otherwise: says('{{prompt}} gave {{output}}{{other}}') });
      const input = [messageOf('user', 'ls'), call('a'), output('a', words)];
      expectObservable(ask({ input })).toBe('(aC|)', {
        a: spoken(`ls gave ${shown}{{other}}`, 1),
        C: completed('resp_1'),
      });
    })();
  });

  it(
    'fails as scripted: cut, hanging until it counts as idle, or with an error',
    marbles(({ expectObservable }) => {
      const failing = (fault: unknown, own = {}) => play({ otherwise: says('a', { fault }) }, own).ask();
      const broken = (reason: string) => new ModelError(`stream disconnected before completion: ${reason}`, true);
      const values = { a: spoken('a') };
      expectObservable(failing('cut')).toBe('(a#)', values, broken('stream closed before response.completed'));
      const timedOut = { requests: 1, timedOut: true };
      const idle = new ModelError(
        'stream disconnected before completion: idle timeout waiting for SSE',
        true,
        timedOut,
      );
      expectObservable(failing('hang', { streamIdleTimeoutMs: 500 })).toBe('a 499ms #', values, idle);
      expectObservable(failing('hang', { streamIdleTimeoutMs: 0 }), '9s !').toBe('a', values);
      expectObservable(failing({ error: 'no' })).toBe('(a#)', values, new ModelError('no', false));
      const rpcError = { code: -32050, message: 'no' };
      expectObservable(failing({ rpcError })).toBe('(a#)', values, new RpcError(-32050, 'no'));
      expectObservable(failing({ error: 'no', retryable: true })).toBe('(a#)', values, new ModelError('no', true));
    }),
  );

  it(
    'fails a number of times in each thread',
    marbles(({ expectObservable }) => {
      const error = new ModelError('busy', true);
      const step = { items: [], fault: { error: 'busy', retryable: true }, faultTimes: 1 };
      const { ask } = play({ scenes: [{ when: 'a', answers: [step] }], otherwise: step });
      const asked = (threadId: string, words: string) => ask({ threadId, input: [messageOf('user', words)] });
      for (const [threadId, words] of [
        ['1', 'a'],
        ['2', 'a'],
        ['1', 'b'],
      ] as const) {
        expectObservable(asked(threadId, words)).toBe('#', {}, error);
        expectObservable(asked(threadId, words)).toBe('(C|)', { C: completed('resp_0') });
      }
    }),
  );

  it(
    'reads its script once, at the first question',
    marbles(({ expectObservable, flush }) => {
      const { ask, read } = play({ otherwise: says('a') });
      expect(read).toEqual([]);
      expectObservable(ask()).toBe('(aC|)', { a: spoken('a'), C: completed('resp_0') });
      expectObservable(ask()).toBe('(aC|)', { a: spoken('a'), C: completed('resp_0') });
      flush();
      expect(read).toEqual(['/s.json']);
    }),
  );

  const unusable: [string, unknown, string][] = [
    ['no JSON', '{', 'The script /s.json is not JSON: '],
    ['no object', '7', 'the document: expected object'],
    ['a misspelt key', { scenes: [], otherwize: 1 }, 'the document: unknown key "otherwize"'],
    ['a bad pattern', { scenes: [{ when: '(', answers: [] }] }, 'scenes[0].when: not a regular expression'],
    ['no pattern', { scenes: [{ answers: [] }] }, 'scenes[0].when: missing, expected string'],
    [
      'a strange item',
      { otherwise: { items: [{ txt: 'a' }] } },
      'otherwise.items[0]: matches none of the forms allowed here',
    ],
    ['a bad text', { otherwise: { items: [{ text: 1 }] } }, 'otherwise.items[0].text: expected string'],
    ['a negative time', { otherwise: { items: [], delayMs: -1 } }, 'otherwise.delayMs: must be at least 0'],
    ['an unknown fault', { otherwise: { items: [], fault: { error: 1 } } }, 'otherwise.fault'],
    [
      'a misspelt usage',
      { otherwise: { items: [], usage: { input_tokens: 1.5, output_tokens: 1 } } },
      'otherwise.usage.input_tokens: expected int',
    ],
  ];
  it.each(unusable)('reports what is wrong with a script with %s', (_, script, message) => {
    const emitted: unknown[] = [];
    play(script)
      .ask()
      .subscribe({ error: (error) => emitted.push(error) });
    expect(emitted).toEqual([expect.objectContaining({ name: 'ModelError', retryable: false })]);
    expect((emitted[0] as Error).message).toContain(message);
  });

  it(
    'needs a script',
    marbles(({ expectObservable }) => {
      const missing = new ModelError(
        'The model provider "mock" has no script. Set script under [model_providers.mock] to the path of one.',
        false,
      );
      expectObservable(play({}, { script: undefined }).ask()).toBe('#', {}, missing);
    }),
  );
});

const errorOf = (text: string): unknown => {
  try {
    return parseScript('/s.json', text);
  } catch (error) {
    return error;
  }
};

describe('parseScript', () => {
  it('reads a script', () => {
    const script = { scenes: [{ when: 'hi', answers: [{ items: [{ text: 'hello' }] }] }] };
    expect(parseScript('/s.json', JSON.stringify(script))).toMatchObject({ scenes: [{ when: 'hi' }] });
  });

  it.each<[string, string, RegExp]>([
    ['a text that is not JSON', '{', /^The script \/s\.json is not JSON: ./],
    ['a document that is not an object', '7', /^The script \/s\.json cannot be used: the document: expected object/],
    ['a key that is unknown', '{"scenes":[],"x":1}', /cannot be used: the document: unknown key "x"/],
    ['a fault in a scene', '{"scenes":[{"when":1,"answers":[]}]}', /cannot be used: scenes\[0\]\.when: /],
  ])('refuses %s, with its place', (_, text, expected) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(expected) });
  });

  it('names all faults of a script', () => {
    expect(errorOf('{"scenes":[{"when":1,"answers":[]},{"when":2,"answers":[]}]}')).toMatchObject({
      message: expect.stringMatching(/scenes\[0\]\.when: .*; scenes\[1\]\.when: /),
    });
  });
});
