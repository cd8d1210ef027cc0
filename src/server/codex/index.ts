/** The Codex JSON-RPC methods, as the first of their requests loads them: all at once. */
export { HostError } from '../../protocol/methods/host';
export { noConversations } from '../conversations/conversation';
export { receiveAnswer } from '../conversations/deliver';
export { observeOutput, receiveOutput } from '../conversations/receiveOutput';
export { receiveRequest } from '../conversations/receiveRequest';
export { codexMethods } from './codexMethods';
