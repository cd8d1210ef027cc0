/** The requests of Codex methods about conversations: each becomes a response, or a call. */
import type { ConversationMethod } from '../../protocol/codex/methodNames';
import type { UserInput } from '../../protocol/codex/operations';
import { toSandboxPolicy } from '../../protocol/codex/sandboxPolicy';
import type { TurnSettings } from '../../protocol/codex/turnSettings';
import { INVALID_REQUEST, type Outgoing, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import {
  ConversationParams,
  NewConversationParams,
  SendUserMessageParams,
  SendUserTurnParams,
  SubscriptionParams,
  ThreadParams,
  type WireItems,
} from '../../protocol/methods/conversationParams';
import type { FoundConversation } from '../../protocol/methods/host';
import { ResumeConversationParams } from '../../protocol/methods/methodParams';
import { getValue, withoutKey, withValue } from '../calls/persistentMap';
import type { CallInput } from '../calls/step';
import { readParams } from '../method';
import {
  type CodexCaller,
  type Conversation,
  type ConversationDeps,
  type Conversations,
  conversationOf,
  putConversation,
} from './conversation';
import { deliverKept } from './deliver';

type Received = {
  state: Conversations;
  messages: readonly Outgoing[];
  inputs: readonly CallInput<CodexCaller>[];
};

export type RequestDeps = ConversationDeps & {
  /** True if the connection has a thread of this id, of a tool or of a Codex method. */
  isKnown: (threadId: string) => boolean;
  /** How many submissions the thread has had; the number becomes the id of events, as in 0.28.0. */
  submissionsOf: (threadId: string) => number;
  /** The stored conversation that the request names. */
  stored?: Stored;
};

/** A conversation that was looked for on disk, or why it cannot be resumed. */
export type Stored = FoundConversation | { fault: string };

/** `(deps, state, request) => received`. Throws RpcError for a fault of the client. */
type RequestStep = (deps: RequestDeps, state: Conversations, request: Request) => Received;

/** The step of a request. Throws RpcError for a fault of the client. */
export const receiveRequest = (
  deps: RequestDeps,
  state: Conversations,
  request: Request & { method: ConversationMethod },
): Received => METHODS[request.method](deps, state, request);

/** The first listener gets what was kept; a later listener gets what happens from now on. */
export const addConversationListener: RequestStep = (deps, state, request) => {
  const { conversationId } = readParams(ConversationParams(), request);
  const conversation = known(deps, state, conversationId);
  const subscriptionId = deps.newId();
  const listening = { ...conversation, listeners: [...conversation.listeners, subscriptionId] };
  const subscriptions = withValue(state.subscriptions, subscriptionId, conversationId);
  const { state: next, messages } = deliverKept(deps, { ...state, subscriptions }, listening);
  return { state: next, messages: [respond(request, { subscriptionId }), ...messages], inputs: [] };
};

/** A turn goes on without its listener. */
export const removeConversationListener: RequestStep = (_, state, request) => {
  const { subscriptionId } = readParams(SubscriptionParams(), request);
  const id = getValue(state.subscriptions, subscriptionId);
  if (id === undefined) throw new RpcError(INVALID_REQUEST, `subscription not found: ${subscriptionId}`);
  const conversation = conversationOf(state, id);
  const listeners = conversation.listeners.filter((listener) => listener !== subscriptionId);
  const rest = { ...state, subscriptions: withoutKey(state.subscriptions, subscriptionId) };
  return { state: putConversation(rest, { ...conversation, listeners }), messages: [respond(request, {})], inputs: [] };
};

/** The outcome of the call is the response, so a thread that opens slowly delays nobody. */
const newConversation: RequestStep = ({ newId }, state, request) => {
  const { includeApplyPatchTool: _, ...settings } = readParams(NewConversationParams(), request);
  const [callId, caller] = [newId(), { method: 'newConversation', request } as const];
  const op = { kind: 'open', callId, eventId: '', thread: { start: settings }, askable: true } as const;
  return { state, messages: [], inputs: [toBegin(caller, request.id, op)] };
};

/** The stored conversation was looked up before. It keeps its settings, except the overrides, which its next input sets. */
const resumeConversation: RequestStep = ({ newId, stored }, state, request) => {
  const { overrides: { sandbox, ...rest } = {} } = readParams(ResumeConversationParams(), request);
  if (stored === undefined || 'fault' in stored) {
    throw new RpcError(INVALID_REQUEST, `error resuming conversation: ${stored?.fault ?? 'it was not found'}`);
  }
  const { id } = stored;
  const lasting = { ...rest, ...(sandbox && { sandbox: { mode: sandbox } }) };
  const isChanged = Object.keys(lasting).length > 0;
  const next = isChanged ? putConversation(state, { ...conversationOf(state, id), lasting }) : state;
  const op = { kind: 'open', callId: newId(), eventId: '', thread: { id }, askable: true } as const;
  return {
    state: next,
    messages: [],
    inputs: [toBegin({ method: 'resumeConversation', request, stored, ...(isChanged && { lasting }) }, request.id, op)],
  };
};

const sendUserMessage: RequestStep = (deps, state, request) => {
  const { conversationId, items } = readParams(SendUserMessageParams(), request);
  return send(deps, state, { request, conversationId, items });
};

/** The settings count for this turn only; input that joins a running turn changes none. Source: Codex 0.28.0. */
const sendUserTurn: RequestStep = (deps, state, request) => {
  const { conversationId, items, sandboxPolicy, ...rest } = readParams(SendUserTurnParams(), request);
  return send(deps, state, {
    request,
    conversationId,
    items,
    settings: { ...rest, sandbox: toSandboxPolicy(sandboxPolicy) },
  });
};

type Sent = { request: Request; conversationId: string; items: WireItems; settings?: TurnSettings };

/** Answers at once; the result of the input is in the events. Without items nothing happens. */
const send = (deps: RequestDeps, state: Conversations, sent: Sent): Received => {
  const { request, conversationId, items, settings } = sent;
  const conversation = known(deps, state, conversationId);
  const messages = [respond(request, {})];
  if (items.length === 0) return { state, messages, inputs: [] };
  const callId = deps.newId();
  const eventId = String(deps.submissionsOf(conversationId));
  const op = {
    kind: 'input',
    callId,
    eventId,
    thread: { id: conversationId },
    askable: true,
    input: items.map(toInput),
    ...(settings && { settings }),
    ...(conversation.lasting && { lasting: conversation.lasting }),
  } as const;
  const begin = toBegin({ method: 'send', conversationId, eventId }, callId, op);
  return {
    state: putConversation(state, { ...conversation, lasting: undefined }),
    messages,
    inputs: [begin],
  };
};

const toInput = (item: WireItems[number]): UserInput => {
  switch (item.type) {
    case 'text':
      return { type: 'text', text: item.data.text };
    case 'image':
      return { type: 'image', url: item.data.image_url };
    case 'localImage':
      return { type: 'localImage', path: item.data.path };
  }
};

const interruptConversation: RequestStep = (deps, state, request) => {
  const { conversationId } = readParams(ConversationParams(), request);
  known(deps, state, conversationId);
  const op = { kind: 'interruptThread', callId: deps.newId(), thread: { id: conversationId } } as const;
  return { state, messages: [], inputs: [toBegin({ method: 'interruptConversation', request }, request.id, op)] };
};

/** Answers at once; the result is in the events. Source: codex 0.169.0, APPSERVER 3. */
const compact: RequestStep = (deps, state, request) => {
  const { threadId } = readParams(ThreadParams(), request);
  known(deps, state, threadId);
  const callId = deps.newId();
  const eventId = String(deps.submissionsOf(threadId));
  const op = { kind: 'compact', callId, eventId, thread: { id: threadId }, askable: true } as const;
  const begin = toBegin({ method: 'send', conversationId: threadId, eventId }, callId, op);
  return { state, messages: [respond(request, {})], inputs: [begin] };
};

/** Stops the turns of the thread, and releases it. Source: codex 0.169.0: the last client that leaves a thread closes it. */
const unsubscribe: RequestStep = (deps, state, request) => {
  const { threadId } = readParams(ThreadParams(), request);
  if (!deps.isKnown(threadId)) return { state, messages: [respond(request, { status: 'notLoaded' })], inputs: [] };
  const op = { kind: 'close', callId: deps.newId(), eventId: '', thread: { id: threadId }, askable: true } as const;
  const begin = toBegin({ method: 'thread/unsubscribe', request, threadId }, request.id, op);
  return { state, messages: [], inputs: [begin] };
};

const METHODS: Record<ConversationMethod, RequestStep> = {
  newConversation,
  resumeConversation,
  sendUserMessage,
  sendUserTurn,
  interruptConversation,
  addConversationListener,
  removeConversationListener,
  'thread/compact/start': compact,
  'thread/unsubscribe': unsubscribe,
};

/** The conversation of this id. Throws RpcError if the connection has none. Source: Codex 0.28.0, WIRE 10.1. */
const known = ({ isKnown }: RequestDeps, state: Conversations, id: string): Conversation => {
  if (!isKnown(id)) throw new RpcError(INVALID_REQUEST, `conversation not found: ${id}`);
  return conversationOf(state, id);
};

type Begin = Extract<CallInput<CodexCaller>, { kind: 'begin' }>;

/** Begins a call. The client cancels it by `requestId`; if the request was answered already, that is no id of the client. */
const toBegin = (caller: CodexCaller, requestId: Request['id'], op: Begin['op']): Begin => ({
  kind: 'begin',
  call: { callId: op.callId, requestId, asksBy: 'request', caller },
  op,
});

/** The response with this result. */
export const respond = ({ id, batch }: Request, result: unknown): Outgoing => ({ kind: 'response', id, batch, result });
