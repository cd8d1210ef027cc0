/** What the Codex methods know of the conversations of a connection. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, DeltaEvents } from '../../protocol/codex/events';
import type { TurnSettings } from '../../protocol/codex/turnSettings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Request } from '../../protocol/jsonrpc/messages';
import type { FoundConversation } from '../../protocol/methods/host';
import type { Call } from '../calls/calls';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';

/**
 * Who began a call: a request that waits for the outcome, or `send`, whose request was answered at once. `eventId` is that of its turn, `lasting` the
 * overrides.
 */
export type CodexCaller =
  | { method: 'newConversation' | 'interruptConversation'; request: Request }
  | { method: 'thread/unsubscribe'; request: Request; threadId: string }
  | { method: 'resumeConversation'; request: Request; stored: FoundConversation; lasting?: TurnSettings }
  | { method: 'send'; conversationId: string; eventId: string };

/** A call that a method of a conversation began. */
export type CodexCall = Call<CodexCaller>;

/** What listeners of a conversation are sent: events, or a question to the client, which is asked once. */
export type ListenerItem =
  | { kind: 'event'; event: CodexEvent }
  | { kind: 'deltas'; event: DeltaEvents }
  | { kind: 'question'; question: number; event: CodexEvent };

/** A conversation that the Codex methods know. */
export type Conversation = {
  id: string;
  /** Ids of its subscriptions. */
  listeners: readonly string[];
  /** What happened while it had no listener, oldest first. */
  kept: readonly ListenerItem[];
  /** Settings that its next input sets for good. */
  lasting?: TurnSettings;
};

/** All conversations of a connection that the Codex methods know. */
export type Conversations = {
  used: PersistentMap<Conversation>;
  /** Conversation of each listener. */
  subscriptions: PersistentMap<string>;
  /** Models of threads that `newConversation` opens, by callId. */
  models: ReadonlyMap<string, string>;
  /** Conversation of each open question to the client. */
  asked: PersistentMap<string>;
};

/** The state of a connection before its first Codex method. */
export const noConversations = (): Conversations => ({
  used: emptyMap(),
  subscriptions: emptyMap(),
  models: new Map(),
  asked: emptyMap(),
});

/** The conversation of this id; a new one if no method has used it yet. */
export const conversationOf = ({ used }: Conversations, id: string): Conversation =>
  getValue(used, id) ?? { id, listeners: [], kept: [] };

/** The state with this conversation. A conversation that equals a new one is not kept. */
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

/** The state without the settings of a conversation that was not resumed with them, or not at all. */
export const withoutLasting = (state: Conversations, id: string, lasting: TurnSettings | undefined): Conversations => {
  const conversation = conversationOf(state, id);
  const isPending = lasting !== undefined && conversation.lasting === lasting;
  return isPending ? putConversation(state, { ...conversation, lasting: undefined }) : state;
};

const isBlank = ({ listeners, kept, lasting }: Conversation): boolean =>
  listeners.length === 0 && kept.length === 0 && lasting === undefined;

/** What the messages depend on. */
export type ConversationDeps = {
  newId: () => string;
  /** The form of an event on this face. */
  msg: (event: { msg: EventMsg; threadId: string; turnId: string }) => JsonObject;
  /** The params of a question that is no approval. */
  elicitation: (event: CodexEvent) => JsonObject;
  /** Events name the subscription, and questions that need no answer any more are withdrawn, as 0.28.0 did not do. */
  extended: boolean;
};
