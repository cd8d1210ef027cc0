import type { PlaybackStep } from '../../../../src/agent/model/script/findStep';
import { playStep } from '../../../../src/agent/model/script/scriptedModel';
import type { Fault, ScriptStep } from '../../../../src/agent/model/script/scriptSchema';
import type { ModelEvent } from '../../../../src/protocol/model/events';
import { ModelError } from '../../../../src/protocol/model/model';
import { noBackpressure } from '../../../../src/streams/backpressure';
import { marbles } from '../../../support/marbles';

const playback = (step: ScriptStep): PlaybackStep => ({ place: 'otherwise', step, prompt: 'P', output: 'O', made: 3 });

const text = (delta: string, itemId = 'msg_3'): ModelEvent => ({ kind: 'text', itemId, delta });
const message = (whole: string, id = 'msg_3'): ModelEvent => ({
  kind: 'item',
  item: { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text: whole }] },
});
const values: Record<string, ModelEvent> = {
  a: text('ab'),
  b: text('c'),
  M: message('abc'),
  C: { kind: 'completed', responseId: 'resp_3', usage: null },
};

const play = (step: PlaybackStep, fault?: Fault, idleMs = 0) =>
  playStep({ backpressure: noBackpressure, idleMs }, step, fault);

const TIMED_OUT = { requests: 1, timedOut: true };

describe('playStep', () => {
  it.each<[string, ScriptStep, string]>([
    ['plays deltas, item and completion at once', { items: [{ text: 'abc', deltas: 2 }] }, '(abMC|)'],
    ['waits before the step', { items: [], delayMs: 5 }, '-----(C|)'],
    ['waits between deltas only', { items: [{ text: 'abc', deltas: 2 }], deltaDelayMs: 2 }, '--a-(bMC|)'],
    ['waits where an item is a pause', { items: [{ delayMs: 3 }, { text: 'abc', deltas: 0 }] }, '---(MC|)'],
    ['takes the pieces of a list', { items: [{ text: 'abc', deltas: ['ab', 'c'] }] }, '(abMC|)'],
  ])('%s', (_, step, out) =>
    marbles(({ expectObservable }) => {
      expectObservable(play(playback(step))).toBe(out, values);
    })(),
  );

  it(
    'numbers kept items only, after those that were made, and fills in prompt and output',
    marbles(({ expectObservable }) => {
      const items = [
        { reasoning: ['{{prompt}}', 'x'] },
        { delayMs: 0 },
        { call: 'shell', args: { a: 1 } },
        { call: 'shell', args: 'raw', id: 'own' },
        { text: '{{output}} {{other}}', deltas: 0 },
      ];
      const call = (call_id: string, args: string): ModelEvent => ({
        kind: 'item',
        item: { type: 'function_call', name: 'shell', arguments: args, call_id },
      });
      const reasoning = (delta: string): ModelEvent => ({ kind: 'reasoning', itemId: 'rs_3', delta });
      expectObservable(play(playback({ items }))).toBe('(BpBxRabMC|)', {
        B: { kind: 'reasoningBreak', itemId: 'rs_3' },
        p: reasoning('P'),
        x: reasoning('x'),
        R: {
          kind: 'item',
          item: {
            type: 'reasoning',
            id: 'rs_3',
            summary: [
              { type: 'summary_text', text: 'P' },
              { type: 'summary_text', text: 'x' },
            ],
            encrypted_content: null,
          },
        },
        a: call('call_4', '{"a":1}'),
        b: call('own', 'raw'),
        M: message('O {{other}}', 'msg_6'),
        C: values.C,
      });
    }),
  );

  it(
    'sums up tokens that the script leaves out',
    marbles(({ expectObservable }) => {
      const usage = { input_tokens: 4, output_tokens: 5 };
      const full = { ...usage, cached_input_tokens: 1, reasoning_output_tokens: 2, total_tokens: 12 };
      const completed = (tokens: object): ModelEvent => ({
        kind: 'completed',
        responseId: 'resp_3',
        usage: tokens as never,
      });
      expectObservable(play(playback({ items: [], usage }))).toBe('(U|)', {
        U: completed({ ...usage, cached_input_tokens: null, reasoning_output_tokens: null, total_tokens: 9 }),
      });
      expectObservable(play(playback({ items: [], usage: full }))).toBe('(U|)', {
        U: completed(full),
      });
    }),
  );

  it.each([
    [
      'cut',
      0,
      '(M#)',
      new ModelError('stream disconnected before completion: stream closed before response.completed', true),
    ],
    [
      'hang',
      5,
      'M----#',
      new ModelError('stream disconnected before completion: idle timeout waiting for SSE', true, TIMED_OUT),
    ],
    [{ error: 'no' }, 0, '(M#)', new ModelError('no', false)],
    [{ error: 'busy', retryable: true }, 0, '(M#)', new ModelError('busy', true)],
  ] as const)('ends with the fault %j after the items', (fault, idleMs, out, error) =>
    marbles(({ expectObservable }) => {
      const step = { items: [{ text: 'abc', deltas: 0 }] };
      expectObservable(play(playback(step), fault, idleMs)).toBe(out, values, error);
    })(),
  );

  it(
    'hangs for ever where nothing counts as idle',
    marbles(({ expectObservable }) => {
      expectObservable(play(playback({ items: [] }), 'hang', 0), '^ 60m !').toBe('-');
    }),
  );
});
