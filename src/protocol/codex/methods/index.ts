/** The door of the params of the Codex JSON-RPC methods. */
export { AuthStatusParams, CancelLoginParams } from './accountParams';
export {
  ConversationParams,
  NewConversationParams,
  SendUserMessageParams,
  SendUserTurnParams,
  SubscriptionParams,
  ThreadParams,
  type WireItems,
} from './conversationParams';
export { ArchiveConversationParams, ListConversationsParams, ResumeConversationParams } from './storedConversations';
export { FileSearchParams, GitDiffParams, OneOffCommandParams } from './workspaceParams';
