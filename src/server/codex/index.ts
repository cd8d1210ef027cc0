/** The Codex JSON-RPC methods, as the first of their requests loads them: all at once. */

export {
  type CodexHost,
  HostError,
  type OneOffCommand,
  type ProcessEnd,
} from '../../protocol/methods/host';
export {
  type CodexCaller,
  type ConversationDeps,
  type Conversations,
  noConversations,
} from '../conversations/conversation';
export { receiveAnswer } from '../conversations/deliver';
export { observeOutput, receiveOutput } from '../conversations/receiveOutput';
export type { Stored } from '../conversations/receiveRequest';
export { receiveRequest } from '../conversations/receiveRequest';
export { codexMethods } from './codexMethods';
