/** Values for the specs of conversations: a client, its requests, and calls that Codex methods began. */

import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import {
  type CodexCall,
  type CodexCaller,
  type Conversation,
  type ConversationDeps,
  type Conversations,
  noConversations,
  putConversation,
} from '../../../src/server/conversations/conversation';
import { uuid } from '../../support/conversations';

export const THREAD = uuid(1);

/** Each new id is `new`; the form of an event is its message. */
export const deps: ConversationDeps = {
  newId: () => 'new',
  msg: ({ msg }) => ({ ...msg }),
  elicitation: () => ({ message: 'form' }),
  extended: true,
};

export const requestOf = <M extends string>(method: M, params: JsonObject = {}): Request & { method: M } => ({
  kind: 'request',
  id: 1,
  method,
  params,
});

/** The response to a request of `requestOf`. */
export const response = (result: unknown) => ({ kind: 'response', id: 1, batch: undefined, result });
export const failure = (code: number, message: string) => ({
  kind: 'response',
  id: 1,
  batch: undefined,
  error: { code, message },
});

export const eventOf = (msg: EventMsg): CodexEvent => ({
  kind: 'event',
  callId: 'c',
  threadId: THREAD,
  turnId: '',
  id: '0',
  msg,
});

export const warning = eventOf({ type: 'warning', message: 'w' });
export const approval = eventOf({ type: 'exec_approval_request', call_id: 'x', command: ['ls'], cwd: '/' });

/** An event as the listener of this subscription gets it. */
export const notification = (subscriptionId: string, msg: JsonObject & { type: string }, id = '0') => ({
  kind: 'notification',
  method: `codex/event/${msg.type}`,
  params: { id, msg, conversationId: THREAD, subscriptionId },
});

export const callBy = (caller: CodexCaller): CodexCall => ({ callId: 'c', requestId: 1, asksBy: 'request', caller });
export const send = callBy({ method: 'send', conversationId: THREAD, eventId: '7' });
export const newConversation = callBy({ method: 'newConversation', request: requestOf('newConversation') });

/** The state in which the conversation THREAD is this. */
export const stateWith = (own: Partial<Conversation> = {}): Conversations =>
  putConversation(noConversations(), { id: THREAD, listeners: [], kept: [], ...own });
