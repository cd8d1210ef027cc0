/** Delivering to the listeners of a conversation, or keeping for the next one. */
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import { getValue, withoutKey, withValue } from '../calls/persistentMap';
import {
  type Conversation,
  type ConversationDeps,
  type Conversations,
  conversationOf,
  type ListenerItem,
  putConversation,
} from './conversation';
import { listenerMessages } from './listenerMessages';

/** The state, and messages for the client. */
export type Delivered = { state: Conversations; messages: readonly Outgoing[] };

/** How many items are kept for a listener that comes late. Beyond the first number deltas are left out, as a later event holds their whole. */
const MAX_WITH_DELTAS = 100;
const MAX_KEPT = 1_000;

/** Sends an item to the listeners; where there are none it is kept for the first that comes. */
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

type Withdrawal = { questions: readonly number[]; reason: string };

/** A question that needs no answer any more is not asked; one that has been asked is withdrawn. */
export const withdraw = (
  { extended }: ConversationDeps,
  { state, threadId }: Place,
  { questions, reason }: Withdrawal,
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
