/** The messages that listeners of a conversation are sent. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import type { Conversation, ConversationDeps, ListenerItem } from './conversation';

/** What an item becomes: each event once per listener, a question once. Source: Codex 0.28.0, tapes rpc-*. */
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
    method: `codex/event/${msg.type}`,
    params: { id, msg, conversationId: threadId, ...(extended && { subscriptionId: listener }) },
  };
};

type Question = Extract<ListenerItem, { kind: 'question' }>;

const toQuestion = (deps: ConversationDeps, conversation_id: string, { question, event }: Question): Outgoing => {
  const { method, params } = toRequest(deps, event);
  const named = method === 'elicitation/create' ? params : { conversation_id, ...params };
  return { kind: 'request', id: question, method, params: named };
};

/** Source: Codex 0.28.0, WIRE 10.5: snake_case, `reason` and `grant_root` only where they are set. */
const toRequest = ({ elicitation }: ConversationDeps, event: CodexEvent): { method: string; params: JsonObject } => {
  const { msg } = event;
  switch (msg.type) {
    case 'exec_approval_request': {
      const { type: _, ...params } = msg;
      return { method: 'execCommandApproval', params };
    }
    case 'apply_patch_approval_request': {
      const { call_id, changes: file_changes, reason, grant_root } = msg;
      const optional = { ...(reason !== undefined && { reason }), ...(grant_root !== undefined && { grant_root }) };
      return { method: 'applyPatchApproval', params: { call_id, file_changes, ...optional } };
    }
    default:
      return { method: 'elicitation/create', params: elicitation(event) };
  }
};
