import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import { emptyMap, withValue } from '../../../src/server/calls/persistentMap';
import {
  type ConversationDeps,
  conversationOf,
  type ListenerItem,
  noConversations,
  putConversation,
} from '../../../src/server/conversations/conversation';
import { deliver, deliverKept, receiveAnswer, withdraw } from '../../../src/server/conversations/deliver';

const deps: ConversationDeps = {
  newId: () => 'id',
  msg: ({ msg }) => ({ ...msg }),
  elicitation: () => ({ message: 'form' }),
  extended: true,
};
const event = (msg: EventMsg): CodexEvent => ({ kind: 'event', callId: 'c', threadId: 'T', turnId: '', id: '0', msg });
const warning = (message: string): ListenerItem => ({ kind: 'event', event: event({ type: 'warning', message }) });
const delta: ListenerItem = { kind: 'event', event: event({ type: 'agent_message_delta', delta: 'd', item_id: 'i' }) };
const ask = (question: number): ListenerItem => ({
  kind: 'question',
  question,
  event: event({ type: 'exec_approval_request', call_id: 'x', command: ['ls'], cwd: '/' }),
});

const deliverAll = (listeners: string[], ...items: ListenerItem[]) => {
  const first = noConversations();
  let state = putConversation(first, { ...conversationOf(first, 'T'), listeners });
  const messages = items.flatMap((item) => {
    const delivered = deliver(deps, { state, threadId: 'T' }, item);
    state = delivered.state;
    return delivered.messages;
  });
  return { state, messages };
};
const notification = (subscriptionId: string, message: string) => ({
  kind: 'notification',
  method: 'codex/event/warning',
  params: { id: '0', msg: { type: 'warning', message }, conversationId: 'T', subscriptionId },
});
const request = (id: number) => ({
  kind: 'request',
  id,
  method: 'execCommandApproval',
  params: { conversation_id: 'T', call_id: 'x', command: ['ls'], cwd: '/' },
});

describe('deliver', () => {
  it('sends each event once to each listener, and a question once', () => {
    const { messages } = deliverAll(['a', 'b'], warning('w'), ask(3));
    expect(messages).toEqual([notification('a', 'w'), notification('b', 'w'), request(3)]);
  });

  it('keeps what happens without a listener: the newest, and no deltas when it is much', () => {
    const many = Array.from({ length: 1_200 }, (_, i) => warning(String(i)));
    const { state, messages } = deliverAll([], ask(1), delta, ...many, delta);
    const { kept } = conversationOf(state, 'T');
    expect(messages).toEqual([]);
    expect(kept).toHaveLength(1_000);
    expect([kept[0], kept.at(-1), kept.filter((item) => item === delta)]).toEqual([ask(1), warning('1199'), []]);
  });
});

describe('deliverKept', () => {
  it('sends what was kept, once', () => {
    const { state } = deliverAll([], warning('w'), ask(3));
    const listening = { ...conversationOf(state, 'T'), listeners: ['a'] };
    const { messages, state: next } = deliverKept(deps, state, listening);
    expect(messages).toEqual([notification('a', 'w'), request(3)]);
    expect(conversationOf(next, 'T').kept).toEqual([]);
  });
});

describe('withdraw', () => {
  const withdrawal = { questions: [3], reason: 'too late' };

  it('withdraws a question that was asked', () => {
    const { state } = deliverAll(['a'], ask(3));
    const { messages, state: next } = withdraw(deps, { state, threadId: 'T' }, withdrawal);
    const params = { requestId: 3, reason: 'too late' };
    expect(messages).toEqual([{ kind: 'notification', method: 'notifications/cancelled', params }]);
    expect(next.asked).toEqual(emptyMap());
  });

  it('drops one that was kept, and withdraws nothing on the face of 0.28', () => {
    const { state } = deliverAll([], warning('w'), ask(3));
    const kept = withdraw(deps, { state, threadId: 'T' }, withdrawal);
    expect([kept.messages, conversationOf(kept.state, 'T').kept]).toEqual([[], [warning('w')]]);
    const asked = deliverAll(['a'], ask(3));
    const place = { state: asked.state, threadId: 'T' };
    expect(withdraw({ ...deps, extended: false }, place, withdrawal).messages).toEqual([]);
  });
});

describe('receiveAnswer', () => {
  it('closes the question, so that it is not withdrawn any more', () => {
    const { state } = deliverAll(['a'], ask(3), ask(4));
    expect(receiveAnswer(receiveAnswer(state, 3), 5).asked).toEqual(withValue(emptyMap(), '4', 'T'));
  });
});
