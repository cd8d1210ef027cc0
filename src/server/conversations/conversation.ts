/** What the Codex methods know of the conversations of a connection. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, DeltaEvents } from '../../protocol/codex/events';
import type { TurnSettings } from '../../protocol/codex/turnSettings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Request } from '../../protocol/jsonrpc/messages';
import type { FoundConversation } from '../../protocol/methods/host';
import type { Call } from '../calls/call';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';

/**
 * Who began a call: the request that waits for its outcome, or nobody, as `sendUserMessage` is answered at once; then `eventId` is
 * that of its turn.
 */
export type CodexCaller =
  | { method: 'newConversation' | 'interruptConversation'; request: Request }
  | { method: 'thread/unsubscribe'; request: Request; threadId: string }
  | { method: 'resumeConversation'; request: Request; stored: FoundConversation }
  | { method: 'send'; conversationId: string; eventId: string };

/** A call that a method of a conversation began. */
export type CodexCall = Call<CodexCaller>;

/** What listeners of a conversation are sent: events, or a question to the client, which is asked once. */
export type ListenerItem =
  | { kind: 'event'; event: CodexEvent }
  | { kind: 'deltas'; event: DeltaEvents }
  | { kind: 'question'; question: number; event: CodexEvent };

/**
 * A conversation that the Codex methods know. `kept` is what happened while it had no listener, oldest first. `lasting` are
 * settings that its next input sets for good.
 */
export type Conversation = {
  id: string;
  listeners: readonly string[];
  kept: readonly ListenerItem[];
  lasting?: TurnSettings;
};

/**
 * All conversations of a connection that the Codex methods know. `subscriptions` is the conversation of each listener;
 * `models` those of threads that are being opened, by callId; `asked` the conversations of the questions that the client has been asked and
 * not answered.
 */
export type Conversations = {
  used: PersistentMap<Conversation>;
  subscriptions: PersistentMap<string>;
  models: ReadonlyMap<string, string>;
  asked: PersistentMap<string>;
};

/** The state of a connection before its first Codex method. */
export const noConversations = (): Conversations => ({
  used: emptyMap(),
  subscriptions: emptyMap(),
  models: new Map(),
  asked: emptyMap(),
});

/** The conversation of this id, new where no method has used it yet. */
export const conversationOf = ({ used }: Conversations, id: string): Conversation =>
  getValue(used, id) ?? { id, listeners: [], kept: [] };

/** The state with this conversation in the place of its earlier one. One that equals a new one is not kept. */
export const putConversation = (state: Conversations, conversation: Conversation): Conversations => ({
  ...state,
  used: isBlank(conversation)
    ? withoutKey(state.used, conversation.id)
    : withValue(state.used, conversation.id, conversation),
});

/** The state without a conversation and its listeners. */
export const withoutConversation = (state: Conversations, id: string): Conversations => ({
  ...state,
  used: withoutKey(state.used, id),
  subscriptions: conversationOf(state, id).listeners.reduce(withoutKey, state.subscriptions),
});

const isBlank = ({ listeners, kept, lasting }: Conversation): boolean =>
  listeners.length === 0 && kept.length === 0 && lasting === undefined;

/**
 * What the messages depend on. `msg` is the form of an event on this face, `elicitation` the params of a question that is no approval.
 * `extended`: events name the subscription, and questions that need no answer any more are withdrawn, as 0.28.0 did not do.
 */
export type ConversationDeps = {
  newId: () => string;
  msg: (event: { msg: EventMsg; threadId: string; turnId: string }) => JsonObject;
  elicitation: (event: CodexEvent) => JsonObject;
  extended: boolean;
};
