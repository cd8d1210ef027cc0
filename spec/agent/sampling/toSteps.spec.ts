import {
  type DoubledCall,
  textsOf,
  toDeltaEvents,
  toItemEvents,
  toSteps,
  type Whole,
} from '../../../src/agent/sampling/toSteps';
import type { TurnStep } from '../../../src/agent/thread/steps';
import type { TokenUsage } from '../../../src/protocol/model/events';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { ModelError } from '../../../src/protocol/model/model';
import { completed, item, messageOf } from '../../support/models';
import { first, reasoning, shell, turnOf } from '../support';

const turn = turnOf(() => undefined as never);
const broken: Whole = { kind: 'broken', error: new ModelError('broke', true) };
const usage: TokenUsage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: null,
  total_tokens: 3,
};
const doubled: DoubledCall = { kind: 'doubled', item: shell('a_2', 'ls'), call_id: 'a' };
const message = messageOf('assistant', 'ok');
const call = shell('a', 'ls');
const leftOut = 'The model sent an item of the type odd, which is not known here, or lacks a part. It was left out.';
const doubledText =
  'err: this answer has another call with the id a, which runs; this one does not. Use a new id for each call.';

describe('toSteps', () => {
  it.each<[string, Whole | DoubledCall, TurnStep[]]>([
    ['an answer that broke off', broken, [broken]],
    ['the end without a usage ', completed() as Whole, []],
    ['the end with one        ', completed('r', usage) as Whole, [{ kind: 'usage', usage }]],
    ['a message               ', item(message) as Whole, [first.message('ok'), { kind: 'item', item: message }]],
    ['a call                  ', item(call) as Whole, [{ kind: 'item', item: call }]],
    [
      'a call under a used id  ',
      doubled,
      [
        { kind: 'item', item: doubled.item },
        { kind: 'output', call: doubled.item, text: doubledText },
      ],
    ],
    [
      'a search that begins    ',
      { kind: 'search', callId: 's' },
      [first.event({ type: 'web_search_begin', call_id: 's' })],
    ],
    [
      'a search that is done   ',
      { kind: 'search', callId: 's', query: 'q' },
      [first.event({ type: 'web_search_end', call_id: 's', query: 'q' }), { kind: 'unknown', type: 'web_search_call' }],
    ],
    [
      'an unknown item         ',
      { kind: 'unknown', type: 'odd' },
      [first.event({ type: 'warning', message: leftOut, item_type: 'odd' }), { kind: 'unknown', type: 'odd' }],
    ],
    ['nothing                 ', { kind: 'nothing' }, [{ kind: 'nothing' }]],
  ])('of %s', (_, event, steps) => {
    expect(toSteps(turn, event)).toEqual(steps);
  });
});

describe('toEvents', () => {
  const turn = turnOf(() => undefined as never);
  const loud = turnOf(() => undefined as never, { showRawReasoning: true });
  const thought: ResponseItem = {
    ...(reasoning('r', 'so', 'then') as ResponseItem & { type: 'reasoning' }),
    content: [{ type: 'reasoning_text', text: 'raw' }],
  };
  const message: ResponseItem = {
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'output_text', text: 'one' },
      { type: 'input_image', image_url: 'u' },
      { type: 'output_text', text: 'two' },
    ],
  };

  describe('toDeltaEvents', () => {
    const piece = { delta: 'o', item_id: 'i' };
    it.each([
      ['text', 'agent_message_delta'],
      ['reasoning', 'agent_reasoning_delta'],
      ['rawReasoning', 'agent_reasoning_raw_content_delta'],
    ] as const)('makes an event of %s', (kind, type) => {
      expect(toDeltaEvents(loud, { kind, itemId: 'i', delta: 'o' })).toEqual([first.event({ type, ...piece })]);
    });

    it('shows no raw reasoning unless the configuration does, alone or among others', () => {
      const raw = { kind: 'rawReasoning' as const, itemId: 'i', delta: 'o' };
      const text = { kind: 'text' as const, itemId: 'i', delta: 'o' };
      expect(toDeltaEvents(turn, raw)).toEqual([]);
      expect(toDeltaEvents(turn, { kind: 'deltas', deltas: [raw, raw] })).toEqual([]);
      const [shown] = toDeltaEvents(turn, { kind: 'deltas', deltas: [raw, text] });
      expect(shown).toMatchObject({ kind: 'deltas', msgs: [{ type: 'agent_message_delta', ...piece }] });
    });

    it('makes an event of the border between two parts', () => {
      const event = first.event({ type: 'agent_reasoning_section_break', item_id: 'i' });
      expect(toDeltaEvents(turn, { kind: 'reasoningBreak', itemId: 'i' })).toEqual([event]);
    });

    it('makes one event of deltas that arrived together', () => {
      const deltas = ['o', 'p'].map((delta) => ({ kind: 'text' as const, itemId: 'i', delta }));
      const { kind: _, msg: __, ...ids } = first.event({ type: 'agent_message', message: '' });
      const msgs = ['o', 'p'].map((delta) => ({ type: 'agent_message_delta', delta, item_id: 'i' }));
      expect(toDeltaEvents(turn, { kind: 'deltas', deltas })).toEqual([{ kind: 'deltas', ...ids, msgs }]);
    });
  });

  describe('toItemEvents', () => {
    const summary = [
      first.event({ type: 'agent_reasoning', text: 'so' }),
      first.event({ type: 'agent_reasoning', text: 'then' }),
    ];
    it.each([
      ['each text of a message', turn, message, [first.message('one'), first.message('two')]],
      ['the summary of reasoning', turn, thought, summary],
      [
        'raw reasoning too, where it is wanted',
        loud,
        thought,
        [...summary, first.event({ type: 'agent_reasoning_raw_content', text: 'raw' })],
      ],
      ['nothing of a call', turn, shell('l', 'ls'), []],
    ])('shows %s', (_, of, item, events) => {
      expect(toItemEvents(of, item)).toEqual(events);
    });
  });

  describe('textsOf', () => {
    it('reads the texts of a message, and no others', () => {
      expect([message, messageOf('user', 'hi'), thought].map(textsOf)).toEqual([['one', 'two'], [], []]);
    });
  });
});
