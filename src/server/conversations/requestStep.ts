/** What the steps of requests about conversations share. */
import { INVALID_REQUEST, type Outgoing, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { FoundConversation } from '../../protocol/methods/host';
import type { CallInput } from '../calls/step';
import {
  type CodexCaller,
  type Conversation,
  type ConversationDeps,
  type Conversations,
  conversationOf,
} from './conversation';

/** The state, messages for the client, and the calls that begin when these have left. */
export type Received = {
  state: Conversations;
  messages: readonly Outgoing[];
  inputs: readonly CallInput<CodexCaller>[];
};

/** `isKnown`: whether the connection has a thread of this id, of a tool or of a Codex method; `submissionsOf`: what it
 * was sent, by number, which becomes the id of events as in 0.28.0; `stored`: the one on disk that the request names. */
export type RequestDeps = ConversationDeps & {
  isKnown: (threadId: string) => boolean;
  submissionsOf: (threadId: string) => number;
  stored?: Stored;
};

/** A conversation that was looked for on disk, or why it cannot be resumed. */
export type Stored = FoundConversation | { fault: string };

/** `(deps, state, request) => received`. Throws RpcError for a fault of the client. */
export type RequestStep = (deps: RequestDeps, state: Conversations, request: Request) => Received;

/** The conversation of this id. Throws RpcError where the connection has none. Source: Codex 0.28.0, WIRE 10.1. */
export const known = ({ isKnown }: RequestDeps, state: Conversations, id: string): Conversation => {
  if (!isKnown(id)) throw new RpcError(INVALID_REQUEST, `conversation not found: ${id}`);
  return conversationOf(state, id);
};

type Begin = Extract<CallInput<CodexCaller>, { kind: 'begin' }>;

/** A call begins. `requestId` is what a client cancels by; that of a call whose request was answered is no id of the client. */
export const toBegin = (caller: CodexCaller, requestId: Request['id'], op: Begin['op']): Begin => ({
  kind: 'begin',
  call: { callId: op.callId, requestId, asksBy: 'request', caller },
  op,
});

/** The response with this result. */
export const respond = ({ id, batch }: Request, result: unknown): Outgoing => ({ kind: 'response', id, batch, result });
