import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import {
  addMessage,
  addReasoning,
  addReasoningDelta,
  addTextDelta,
  addUserMessage,
} from '../../../src/server/faces/additions0153';
import { newTurn0153, type Turn0153 } from '../../../src/server/faces/turn0153';

const deps = { now: () => 5, newId: () => 'new' };
const turn = newTurn0153();
const started = (item: object) => ({ type: 'item_started', item, started_at_ms: 5 });
const completed = (item: object) => ({ type: 'item_completed', item, completed_at_ms: 5 });
const message = (id: string, text: string) => ({ type: 'AgentMessage', id, content: [{ type: 'Text', text }] });
const reasoning = (id: string, ...summary_text: string[]) => ({ type: 'Reasoning', id, summary_text, raw_content: [] });

describe('addUserMessage', () => {
  it('has the text as an item, and its images beside it', () => {
    const input = [
      { type: 'text', text: 'go' },
      { type: 'image', url: 'u' },
      { type: 'localImage', path: '/i' },
    ] as const;
    const item = { type: 'UserMessage', id: 'new', content: [{ type: 'text', text: 'go', text_elements: [] }] };
    expect(addUserMessage(deps, newTurn0153(input))).toEqual([
      started(item),
      completed(item),
      { type: 'user_message', message: 'go', images: ['u'], local_images: ['/i'], text_elements: [] },
    ]);
  });
});

describe('addTextDelta, addMessage', () => {
  const delta = { type: 'agent_message_delta', delta: 'd', item_id: 'm' } as const;
  const whole = { type: 'agent_message', message: 'a' } as const;

  it('begin an item with the first delta, and complete it with the message', () => {
    const first = addTextDelta(deps, turn, delta);
    const open = { ...turn, message: { id: 'm', sections: [] } };
    expect(first).toEqual({ turn: open, msgs: [started(message('m', '')), delta] });
    expect(addTextDelta(deps, first.turn, delta)).toEqual({ turn: open, msgs: [delta] });
    expect(addMessage(deps, first.turn, whole)).toEqual({ turn, msgs: [completed(message('m', 'a')), whole] });
  });

  it('begin and complete the item of a message without deltas', () => {
    expect(addMessage(deps, turn, whole)).toEqual({
      turn,
      msgs: [started(message('new', '')), completed(message('new', 'a')), whole],
    });
  });
});

describe('addReasoningDelta, addReasoning', () => {
  const delta = (text: string) => ({ type: 'agent_reasoning_delta', delta: text, item_id: 'r' }) as const;
  const pause = { type: 'agent_reasoning_section_break', item_id: 'r' } as const;
  const raw = { type: 'agent_reasoning_raw_content_delta', delta: 'raw', item_id: 'r' } as const;
  const part = (text: string) => ({ type: 'agent_reasoning', text }) as const;

  /** The turn after these deltas, and their messages. */
  const afterDeltas = (...deltas: Parameters<typeof addReasoningDelta>[2][]) =>
    deltas.reduce<{ turn: Turn0153; msgs: readonly EventMsg[] }>(
      (all, one) => {
        const added = addReasoningDelta(deps, all.turn, one);
        return { turn: added.turn, msgs: [...all.msgs, ...added.msgs] };
      },
      { turn, msgs: [] },
    );

  it('begin an item, and number the parts of its summary', () => {
    expect(afterDeltas(pause, delta('a'), pause, delta('b'), delta('c'), raw)).toEqual({
      turn: { ...turn, reasoning: { id: 'r', sections: ['a', 'bc'] } },
      msgs: [
        started(reasoning('r')),
        { ...pause, summary_index: 0 },
        { ...delta('a'), summary_index: 0 },
        { ...pause, summary_index: 1 },
        { ...delta('b'), summary_index: 1 },
        { ...delta('c'), summary_index: 1 },
        raw,
      ],
    });
  });

  it('complete the item with the first whole part, and pass the other parts', () => {
    const open = afterDeltas(pause, delta('a'), pause, delta('b')).turn;
    const first = addReasoning(deps, open, part('a'));
    expect(first).toEqual({ turn: { ...turn, partsLeft: 1 }, msgs: [completed(reasoning('r', 'a', 'b')), part('a')] });
    expect(addReasoning(deps, first.turn, part('b'))).toEqual({ turn, msgs: [part('b')] });
  });

  it('begin and complete the item of a part without deltas', () => {
    expect(addReasoning(deps, turn, part('a'))).toEqual({
      turn,
      msgs: [started(reasoning('new')), completed(reasoning('new', 'a')), part('a')],
    });
  });
});
