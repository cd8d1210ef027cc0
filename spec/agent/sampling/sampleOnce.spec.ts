import { filter, NEVER } from 'rxjs';
import { sampleOnce, uniqueCalls } from '../../../src/agent/sampling/sampleOnce';
import type { Whole } from '../../../src/agent/sampling/toSteps';
import { noHistory } from '../../../src/agent/thread/history';
import type { Sample, TurnStep } from '../../../src/agent/thread/steps';
import type { ModelEvent } from '../../../src/protocol/model/events';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { type Model, ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';
import { completed, item, messageOf, provider, text } from '../../support/models';
import { around, command, custom, first, personOf, reasoning, shell, turnOf } from '../support';

const usage = {
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 2,
  reasoning_output_tokens: 0,
  total_tokens: 3,
};
const call = shell('l', 'ls');
const thought: ResponseItem = {
  ...(reasoning('r', 'so', 'then') as ResponseItem & { type: 'reasoning' }),
  content: [{ type: 'reasoning_text', text: 'raw' }],
};
const image: ResponseItem = { type: 'message', role: 'assistant', content: [{ type: 'input_image', image_url: 'u' }] };
const spoken: Record<string, ModelEvent> = {
  t: text('o', 'i'),
  r: { kind: 'reasoning', itemId: 'i', delta: 'o' },
  w: { kind: 'rawReasoning', itemId: 'i', delta: 'o' },
  b: { kind: 'reasoningBreak', itemId: 'i' },
  h: item(thought),
  m: item(messageOf('assistant', 'ok')),
  i: item(image),
  u: item(messageOf('user', 'what?')),
  l: item(call),
  z: completed('', usage),
  y: completed(),
};
const kept = (made: ResponseItem): TurnStep => ({ kind: 'item', item: made });
const sample = (own: Partial<Sample> = {}): Sample => ({ kind: 'sample', attempt: 0, lastMessage: null, ...own });
const of = (type: 'message' | 'reasoning' | 'reasoning_raw_content') => `agent_${type}_delta` as const;
const delta = (type: Parameters<typeof of>[0]) => first.event({ type: of(type), delta: 'o', item_id: 'i' });
const out: Record<string, TurnStep> = {
  T: delta('message'),
  R: delta('reasoning'),
  W: delta('reasoning_raw_content'),
  B: first.event({ type: 'agent_reasoning_section_break', item_id: 'i' }),
  1: first.event({ type: 'agent_reasoning', text: 'so' }),
  2: first.event({ type: 'agent_reasoning', text: 'then' }),
  3: first.event({ type: 'agent_reasoning_raw_content', text: 'raw' }),
  H: kept(thought),
  M: first.message('ok'),
  K: kept(messageOf('assistant', 'ok')),
  I: kept(image),
  L: kept(call),
  C: first.begin('l', ['ls']),
  E: first.end('l'),
  O: { kind: 'output', call, text: 'l ran' },
  F: { kind: 'usage', usage },
  U: first.event({ type: 'token_count', ...usage }),
  Z: { kind: 'finished', message: 'ok' },
  N: first.complete(null),
  0: { kind: 'finished', message: null },
  S: sample(),
};
const broken = (retryable: boolean) => new ModelError('broke', retryable);

const answer = (model: Model, { own = {}, from = sample(), made = around({}) }: Partial<Given> = {}) => {
  const deps = { ...made.native, ask: personOf(NEVER) };
  return sampleOnce(deps, turnOf(model, own, made), { history: noHistory, sample: from });
};
type Given = { own: Parameters<typeof turnOf>[1]; from: Sample; made: ReturnType<typeof around> };

describe('sampleOnce', () => {
  it(
    'turns text and reasoning into events',
    marbles(({ cold, expectObservable }) => {
      const model$ = cold(' -trwb-h----m---zy|          ', spoken);
      const expected = '    -TR-B-(12H)(MK)F-(UZ|)      ';
      const raw = '         -TRWB-(123H)(MK)F-(UZ|)     ';
      expectObservable(answer(() => model$)).toBe(expected, out);
      const shown$ = cold(' -trwb-h-----m---zy|         ', spoken);
      expectObservable(answer(() => shown$, { own: { showRawReasoning: true } })).toBe(raw, out);
    }),
  );

  it(
    'keeps items without text, and takes the last message as the answer',
    marbles(({ cold, expectObservable }) => {
      const model$ = cold(' -i-y|     ', spoken);
      const expected = '    -I--(Z|)  ';
      expectObservable(answer(() => model$, { from: sample({ lastMessage: 'ok' }) })).toBe(expected, out);
      expectObservable(answer(() => cold('|'))).toBe('(0|)', out);
      expectObservable(answer(() => cold('-'))).toBe('-');
    }),
  );

  it(
    'takes all parts of the last message as the answer',
    marbles(({ cold, expectObservable }) => {
      const parts = {
        ...messageOf('assistant', ''),
        content: ['a', 'b'].map((text) => ({ type: 'output_text', text })),
      };
      const values = { K: kept(parts as ResponseItem), A: first.message('a'), B: first.message('b') };
      const Z: TurnStep = { kind: 'finished', message: 'ab' };
      const model$ = cold('-m-----|', { m: item(parts as ResponseItem) });
      expectObservable(answer(() => model$)).toBe('-(ABK)-(Z|)', { ...values, Z });
    }),
  );

  it(
    'runs a call while the model still speaks, and waits for it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const model$ = cold(' -l---t-y|             ', spoken);
      const ls$ = cold('     b-------(eo|)        ', command('l', 'ls'));
      const expected = '    -(LC)T---(EOS|)       ';
      const running = '     -^-------!            ';
      const made = around({ commands: { ls: ls$ } });
      expectObservable(answer(() => model$, { made, from: sample({ attempt: 2 }) })).toBe(expected, out);
      expectSubscriptions(ls$.subscriptions).toBe(running);
    }),
  );

  it(
    'runs one of two calls under the same id, and answers the other',
    marbles(({ cold, expectObservable }) => {
      const model$ = cold(' -l----l-y|           ', spoken);
      const ls$ = cold('     b-----------(eo|)   ', command('l', 'ls'));
      const expected = '    -(LC)-(XD)---(EOS|)  ';
      const second = shell('l_2', 'ls');
      const text =
        'err: this answer has another call with the id l, which runs; this one does not. Use a new id for each call.';
      const values = { ...out, X: kept(second), D: { kind: 'output', call: second, text } };
      const made = around({ commands: { ls: ls$ } });
      expectObservable(answer(() => model$, { made })).toBe(expected, values);
    }),
  );

  it(
    'ends the turn at a call that is too long, before it is kept or run',
    marbles(({ cold, expectObservable }) => {
      const long = item({ ...call, arguments: 'x'.repeat(2 ** 20) } as ResponseItem);
      const model$ = cold(' -c-y|', { ...spoken, c: long });
      const expected = '    -(XFN|)';
      const message = 'the model called a tool with 1048581 characters; no more than 1048576 are read';
      const error = new ModelError(message, false);
      const values = { ...out, X: { kind: 'broken' as const, error }, F: first.error(message) };
      expectObservable(answer(() => model$)).toBe(expected, values);
    }),
  );

  it(
    'ends the answer at a text that does not end',
    marbles(({ cold, expectObservable }) => {
      const delta = { kind: 'text' as const, itemId: '', delta: 'x'.repeat(2 ** 21) };
      const model$ = cold<ModelEvent>(' -d-e-f|', { d: delta, e: { kind: 'deltas', deltas: [delta] }, f: delta });
      const message = 'the model wrote an answer of 6291456 characters; no more than 4194304 are read';
      const values = { X: { kind: 'broken' as const, error: new ModelError(message, false) } };
      const step$ = answer(() => model$).pipe(filter(({ kind }) => kind === 'broken'));
      expectObservable(step$).toBe('   -----(X|)', values);
    }),
  );

  it(
    'stops the model and the command when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const model$ = cold(' -l-----  ', spoken);
      const ls$ = cold('     b-----  ', command('l', 'ls'));
      const stop = '        ------!  ';
      const made = around({ commands: { ls: ls$ } });
      expectObservable(
        answer(() => model$, { made }),
        stop,
      ).toBe('-(LC)', out);
      expectSubscriptions(model$.subscriptions).toBe('^-----!');
      expectSubscriptions(ls$.subscriptions).toBe('   -^----!');
    }),
  );

  it(
    'leads to another sample after a break, one attempt on; without leave to ask again, to the end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const own = { provider: provider({ streamMaxRetries: 3 }) };
      const model$ = cold(' -m---#                  ', spoken, broken(true));
      const expected = '    -(MK)(XR) 796ms (S|)    ';
      const subscribed = '       ^----!                  ';
      const values = {
        ...out,
        X: { kind: 'broken' as const, error: broken(true) },
        R: first.streamError('stream error: broke; retrying 3/3 in 800ms…'),
        S: sample({ attempt: 3, lastMessage: 'ok', tried: { requests: 1, sinceMs: 0 } }),
        F: first.error('broke'),
      };
      expectObservable(answer(() => model$, { own, from: sample({ attempt: 2 }) })).toBe(expected, values);
      expectSubscriptions(model$.subscriptions).toBe(subscribed);
      const used = '        -(MK)(XFN|)             ';
      const last$ = cold('  -m---#                  ', spoken, broken(true));
      expectObservable(answer(() => last$, { own, from: sample({ attempt: 3 }) })).toBe(used, values);
    }),
  );

  it(
    'passes on what is no break but a fault',
    marbles(({ cold, expectObservable }) => {
      const bug = new Error('boom');
      expectObservable(answer(() => cold('-t-#', spoken, bug))).toBe('-T-#', out, bug);
    }),
  );
});

const events: Record<string, Whole> = {
  a: item(shell('a', 'ls')) as Whole,
  b: item(shell('b', 'ls')) as Whole,
  c: item(custom('a', 'apply_patch', 'x')) as Whole,
  n: item(shell('a_2', 'ls')) as Whole,
  m: item(messageOf('assistant', 'ok')) as Whole,
  z: completed() as Whole,
  x: { kind: 'broken', error: new ModelError('broke', true) },
};
const doubled = {
  D: { kind: 'doubled', item: shell('a_2', 'ls'), call_id: 'a' },
  E: { kind: 'doubled', item: shell('a_3', 'ls'), call_id: 'a' },
  C: { kind: 'doubled', item: custom('a_2', 'apply_patch', 'x'), call_id: 'a' },
};

describe('uniqueCalls', () => {
  it.each([
    ['never', '--', '--'],
    ['is empty as its source is', '-|', '-|'],
    ['passes calls under different ids, messages and the end', '-a-m-b-z|', '-a-m-b-z|'],
    ['marks a call under an id that came before', '-a-b-a-x|', '-a-b-D-x|'],
    ['marks each of them, under an id that is not used', '-a-a-a|', '-a-D-E|'],
    ['takes no id that another call has', '-n-a-a|', '-n-a-E|'],
    ['marks a call of another form', '-a-c|', '-a-C|'],
    ['errors with its source', '-a#', '-a#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, events).pipe(uniqueCalls())).toBe(expected, { ...events, ...doubled });
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-a--', events);
      expectObservable(source$.pipe(uniqueCalls()), '^-!').toBe('-a', events);
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );
});
