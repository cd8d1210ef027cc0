/** The door of the Codex methods that act on a conversation. */
export type { CodexCaller, ConversationDeps, Conversations } from './conversation';
export { noConversations } from './conversation';
export { receiveAnswer } from './deliver';
export { observeOutput, receiveOutput } from './receiveOutput';
export { receiveRequest } from './receiveRequest';
export type { Stored } from './requestStep';
export { archiveConversation, listConversations } from './stored';
