import { isCodexMethod, isConversationMethod } from '../../../src/protocol/codex/methodNames';

describe('isCodexMethod, isConversationMethod', () => {
  it.each([
    ['newConversation', true, true],
    ['resumeConversation', true, true],
    ['sendUserTurn', true, true],
    ['getAuthStatus', true, false],
    ['fuzzyFileSearch', true, false],
    ['listConversations', true, false],
    ['tools/call', false, false],
    ['initialize', false, false],
    ['toString', false, false],
    ['', false, false],
  ])('of %j are %j and %j', (name, isCodex, isConversation) => {
    expect([isCodexMethod(name), isConversationMethod(name)]).toEqual([isCodex, isConversation]);
  });
});
