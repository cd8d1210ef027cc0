/** The door of the Codex JSON-RPC methods. */
export { codexMethods } from './codexMethods';
export {
  type CodexCaller,
  type ConversationDeps,
  type Conversations,
  noConversations,
  observeOutput,
  receiveAnswer,
  receiveOutput,
  receiveRequest,
  type Stored,
} from './conversations';
export {
  type CodexHost,
  HostError,
  type OneOffCommand,
  type ProcessEnd,
} from './host';
