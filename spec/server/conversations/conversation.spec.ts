import { valuesOf } from '../../../src/server/calls/persistentMap';
import { conversationOf, noConversations, putConversation } from '../../../src/server/conversations/conversation';

const used = { id: 'a', listeners: ['s'], kept: [] };

describe('conversationOf', () => {
  it('is a new one if no method has used it, and the one that was put there', () => {
    const state = putConversation(noConversations(), used);
    expect(conversationOf(state, 'a')).toEqual({ id: 'a', listeners: ['s'], kept: [] });
    expect(conversationOf(state, 'b')).toEqual({ id: 'b', listeners: [], kept: [] });
  });
});

describe('putConversation', () => {
  it('replaces one conversation in a new state, and leaves the old state and the others as they were', () => {
    const other = { id: 'b', listeners: ['t'], kept: [] };
    const before = putConversation(putConversation(noConversations(), used), other);
    const after = putConversation(before, { ...used, listeners: [] });
    expect([conversationOf(before, 'a'), conversationOf(after, 'a')]).toEqual([used, { ...used, listeners: [] }]);
    expect(conversationOf(after, 'b')).toBe(other);
    expect({ ...after, used: before.used }).toEqual(before);
  });

  it('keeps nothing of a conversation without listeners, events for one, and settings', () => {
    const event = {
      kind: 'event',
      callId: '',
      threadId: 'a',
      turnId: '',
      id: '',
      msg: { type: 'error', message: '' },
    } as const;
    const kept = putConversation(noConversations(), { ...used, listeners: [], kept: [{ kind: 'event', event }] });
    const lasting = putConversation(kept, { id: 'b', listeners: [], kept: [], lasting: { model: 'm' } });
    expect(valuesOf(lasting.used)).toHaveLength(2);
    const left = putConversation(lasting, { id: 'a', listeners: [], kept: [] });
    expect(valuesOf(putConversation(left, { id: 'b', listeners: [], kept: [], lasting: undefined }).used)).toEqual([]);
  });
});
