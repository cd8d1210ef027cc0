import {
  conversationOf,
  noConversations,
  putConversation,
} from '../../../../src/server/codex/conversations/conversation';

const used = { id: 'a', listeners: ['s'], kept: [] };

describe('conversationOf', () => {
  it('is a new one where no method has used it, and the one that was put there', () => {
    const state = putConversation(noConversations(), used);
    expect(conversationOf(state, 'a')).toEqual({ id: 'a', listeners: ['s'], kept: [] });
    expect(conversationOf(state, 'b')).toEqual({ id: 'b', listeners: [], kept: [] });
  });
});

describe('putConversation', () => {
  it('replaces one conversation in a new state, and leaves the old state and the others as they were', () => {
    const other = { id: 'b', listeners: [], kept: [] };
    const before = putConversation(putConversation(noConversations(), used), other);
    const after = putConversation(before, { ...used, listeners: [] });
    expect([conversationOf(before, 'a'), conversationOf(after, 'a')]).toEqual([used, { ...used, listeners: [] }]);
    expect(conversationOf(after, 'b')).toBe(other);
    expect({ ...after, used: before.used }).toEqual(before);
  });
});
