import { textsOf, toDeltaEvents, toItemEvents } from '../../../src/agent/sampling/toSteps';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { messageOf } from '../../support/models';
import { first, reasoning, shell, turnOf } from '../support';

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
