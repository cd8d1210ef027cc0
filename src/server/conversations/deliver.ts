/** What happens in a conversation is sent to its listeners, or kept for the first listener. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import { type JsonObject, mapTexts, wordOf } from '../../protocol/jsonrpc/json';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import { toVisibleScript } from '../../streams/text/visible';
import { getValue, withoutKey, withValue } from '../calls/persistentMap';
import {
  type Conversation,
  type ConversationDeps,
  type Conversations,
  conversationOf,
  type ListenerItem,
  putConversation,
} from './conversation';

/** The state, and messages for the client. */
export type Delivered = { state: Conversations; messages: readonly Outgoing[] };

/** How many items are kept for a late listener. From the first number on deltas are left out, as a later event holds the whole text. */
const MAX_WITH_DELTAS = 100;
const MAX_KEPT = 1_000;

/** Sends an item to the listeners; without listeners it is kept for the first. */
export const deliver = (deps: ConversationDeps, { state, threadId }: Place, item: ListenerItem): Delivered => {
  const conversation = conversationOf(state, threadId);
  if (conversation.listeners.length === 0) {
    const kept = keep(conversation.kept, item);
    return { state: putConversation(state, { ...conversation, kept }), messages: [] };
  }
  return { state: withAsked(state, threadId, [item]), messages: listenerMessages(deps, conversation, item) };
};

type Place = { state: Conversations; threadId: string };

/** Sends what was kept to the one listener there is. */
export const deliverKept = (deps: ConversationDeps, state: Conversations, conversation: Conversation): Delivered => ({
  state: withAsked(putConversation(state, { ...conversation, kept: [] }), conversation.id, conversation.kept),
  messages: conversation.kept.flatMap((item) => listenerMessages(deps, conversation, item)),
});

/** A question that needs no answer any more is not asked; if it was asked already, it is withdrawn. */
export const withdraw = (
  { extended }: ConversationDeps,
  { state, threadId }: Place,
  { questions, reason }: { questions: readonly number[]; reason: string },
): Delivered => {
  const conversation = conversationOf(state, threadId);
  const kept = conversation.kept.filter((item) => item.kind !== 'question' || !questions.includes(item.question));
  const messages = questions
    .filter((question) => isAsked(state, question))
    .map((requestId): Outgoing => {
      return { kind: 'notification', method: 'notifications/cancelled', params: { requestId, reason } };
    });
  const rest = putConversation(state, { ...conversation, kept });
  return { state: withoutAsked(rest, questions), messages: extended ? messages : [] };
};

/** A question that was answered is no longer open. */
export const receiveAnswer = (state: Conversations, question: number): Conversations =>
  isAsked(state, question) ? withoutAsked(state, [question]) : state;

const isAsked = ({ asked }: Conversations, question: number): boolean =>
  getValue(asked, String(question)) !== undefined;

const withAsked = (state: Conversations, threadId: string, items: readonly ListenerItem[]): Conversations => {
  const questions = items.flatMap((item) => (item.kind === 'question' ? [String(item.question)] : []));
  if (questions.length === 0) return state;
  return { ...state, asked: questions.reduce((asked, one) => withValue(asked, one, threadId), state.asked) };
};

const withoutAsked = (state: Conversations, questions: readonly number[]): Conversations => ({
  ...state,
  asked: questions.map(String).reduce(withoutKey, state.asked),
});

/** The oldest event makes room; a question never does, for its turn waits for it. */
const keep = (kept: readonly ListenerItem[], item: ListenerItem): readonly ListenerItem[] => {
  if (kept.length >= MAX_WITH_DELTAS && isDelta(item)) return kept;
  if (kept.length < MAX_KEPT) return [...kept, item];
  const oldest = kept.findIndex(({ kind }) => kind !== 'question');
  return [...kept.filter((_, at) => at !== oldest), item];
};

const isDelta = (item: ListenerItem): boolean =>
  item.kind === 'deltas' || (item.kind === 'event' && item.event.msg.type.endsWith('_delta'));

/** The messages for an item: each event once per listener, a question once. Source: Codex 0.28.0, tapes rpc-*. */
export const listenerMessages = (
  deps: ConversationDeps,
  { id, listeners }: Pick<Conversation, 'id' | 'listeners'>,
  item: ListenerItem,
): Outgoing[] => {
  switch (item.kind) {
    case 'question':
      return [toQuestion(deps, id, item)];
    case 'event':
      return listeners.map((listener) => toNotification(deps, listener, item.event));
    case 'deltas':
      return item.event.msgs.flatMap((msg) =>
        listeners.map((listener) => toNotification(deps, listener, { ...item.event, msg })),
      );
  }
};

type OneEvent = { id: string; threadId: string; turnId: string; msg: EventMsg };

const toNotification = ({ msg: show, extended }: ConversationDeps, listener: string, event: OneEvent): Outgoing => {
  const { id, threadId } = event;
  const msg = show(event);
  return {
    kind: 'notification',
    method: `codex/event/${wordOf(msg.type)}`,
    params: { id, msg, conversationId: threadId, ...(extended && { subscriptionId: listener }) },
  };
};

type Question = Extract<ListenerItem, { kind: 'question' }>;

const toQuestion = (deps: ConversationDeps, conversation_id: string, { question, event }: Question): Outgoing => {
  const { method, params } = toRequest(deps, event);
  const named = method === 'elicitation/create' ? params : { conversation_id, ...params };
  return { kind: 'request', id: question, method, params: named };
};

/** Source: Codex 0.28.0, WIRE 10.5: snake_case, `reason` and `grant_root` only if they are set. */
const toRequest = ({ elicitation }: ConversationDeps, event: CodexEvent): { method: string; params: JsonObject } => {
  const { msg } = event;
  switch (msg.type) {
    case 'exec_approval_request': {
      const { type: _, call_id, ...shown } = msg;
      return { method: 'execCommandApproval', params: { call_id, ...toShown(shown) } };
    }
    case 'apply_patch_approval_request': {
      const { call_id, changes: file_changes, reason, grant_root } = msg;
      const optional = { ...(reason !== undefined && { reason }), ...(grant_root !== undefined && { grant_root }) };
      return { method: 'applyPatchApproval', params: { call_id, file_changes, ...toShown(optional) } };
    }
    default:
      return { method: 'elicitation/create', params: elicitation(event) };
  }
};

/** What a client shows to a person. The files of a patch are data, which it may compare with those on the disk. */
const toShown = (texts: JsonObject): JsonObject => mapTexts(texts, toVisibleScript) as JsonObject;
