/** A request of a Codex method about conversations. */
import {
  type ConversationMethod,
  ConversationParams,
  NewConversationParams,
  SendUserMessageParams,
  SendUserTurnParams,
  SubscriptionParams,
  type TurnSettings,
  toSandboxPolicy,
  type UserInput,
  type WireItems,
} from '../../../protocol/codex';
import { INVALID_REQUEST, type Outgoing, type Request, RpcError } from '../../../protocol/jsonrpc';
import { type CallInput, getValue, withoutKey, withValue } from '../../calls';
import { readParams } from '../method';
import {
  type CodexCaller,
  type ConversationDeps,
  type Conversations,
  conversationOf,
  putConversation,
} from './conversation';
import { deliverKept } from './deliver';

/** The state, messages for the client, and the calls that begin when these have left. */
export type Received = {
  state: Conversations;
  messages: readonly Outgoing[];
  inputs: readonly CallInput<CodexCaller>[];
};

/** `isKnown`: whether the connection has a thread of this id, of a tool or of a Codex method. */
export type RequestDeps = ConversationDeps & { isKnown: (threadId: string) => boolean };

/** The step of a request. Throws RpcError for a fault of the client. */
export const receiveRequest = (
  deps: RequestDeps,
  state: Conversations,
  request: Request & { method: ConversationMethod },
): Received => METHODS[request.method](deps, state, request);

type Step = (deps: RequestDeps, state: Conversations, request: Request) => Received;

/** The response is that of the call: a thread that opens slowly holds up nobody. */
const newConversation: Step = ({ newId }, state, request) => {
  const { includeApplyPatchTool: _, ...settings } = readParams(NewConversationParams(), request);
  const [callId, caller] = [newId(), { method: 'newConversation', request } as const];
  const op = { kind: 'open', callId, eventId: '', thread: { start: settings }, askable: true } as const;
  return { state, messages: [], inputs: [toBegin(caller, request.id, op)] };
};

const sendUserMessage: Step = (deps, state, request) => {
  const { conversationId, items } = readParams(SendUserMessageParams(), request);
  return send(deps, state, { request, conversationId, items });
};

/** The settings are those of this turn only; input that joins a turn that runs changes none. Source: Codex 0.28.0. */
const sendUserTurn: Step = (deps, state, request) => {
  const { conversationId, items, sandboxPolicy, ...rest } = readParams(SendUserTurnParams(), request);
  return send(deps, state, {
    request,
    conversationId,
    items,
    settings: { ...rest, sandbox: toSandboxPolicy(sandboxPolicy) },
  });
};

type Sent = { request: Request; conversationId: string; items: WireItems; settings?: TurnSettings };

/** Answers at once; what becomes of the input is in the events. Without items nothing happens. */
const send = (deps: RequestDeps, state: Conversations, sent: Sent): Received => {
  const { request, conversationId, items, settings } = sent;
  const conversation = known(deps, state, conversationId);
  const messages = [respond(request, {})];
  if (items.length === 0) return { state, messages, inputs: [] };
  const callId = deps.newId();
  const eventId = String(conversation.submissions);
  const op = {
    kind: 'input',
    ...{ callId, eventId, thread: { id: conversationId }, askable: true, input: items.map(toInput) },
    ...(settings && { settings }),
  } as const;
  const begin = toBegin({ method: 'send', conversationId, eventId }, callId, op);
  return { state: putConversation(state, submitted(conversation)), messages, inputs: [begin] };
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

const interruptConversation: Step = (deps, state, request) => {
  const { conversationId } = readParams(ConversationParams(), request);
  const next = putConversation(state, submitted(known(deps, state, conversationId)));
  const op = { kind: 'interruptThread', callId: deps.newId(), thread: { id: conversationId } } as const;
  return { state: next, messages: [], inputs: [toBegin({ method: 'interruptConversation', request }, request.id, op)] };
};

/** The first listener gets what was kept; a later one what happens from now on. */
const addConversationListener: Step = (deps, state, request) => {
  const { conversationId } = readParams(ConversationParams(), request);
  const conversation = known(deps, state, conversationId);
  const subscriptionId = deps.newId();
  const listening = { ...conversation, listeners: [...conversation.listeners, subscriptionId] };
  const subscriptions = withValue(state.subscriptions, subscriptionId, conversationId);
  const { state: next, messages } = deliverKept(deps, { ...state, subscriptions }, listening);
  return { state: next, messages: [respond(request, { subscriptionId }), ...messages], inputs: [] };
};

/** A turn goes on without its listener. */
const removeConversationListener: Step = (_, state, request) => {
  const { subscriptionId } = readParams(SubscriptionParams(), request);
  const id = getValue(state.subscriptions, subscriptionId);
  if (id === undefined) throw new RpcError(INVALID_REQUEST, `subscription not found: ${subscriptionId}`);
  const conversation = conversationOf(state, id);
  const listeners = conversation.listeners.filter((listener) => listener !== subscriptionId);
  const rest = { ...state, subscriptions: withoutKey(state.subscriptions, subscriptionId) };
  return { state: putConversation(rest, { ...conversation, listeners }), messages: [respond(request, {})], inputs: [] };
};

const METHODS: Record<ConversationMethod, Step> = {
  newConversation,
  sendUserMessage,
  sendUserTurn,
  interruptConversation,
  addConversationListener,
  removeConversationListener,
};

const known = ({ isKnown }: RequestDeps, state: Conversations, id: string) => {
  if (!isKnown(id)) throw new RpcError(INVALID_REQUEST, `conversation not found: ${id}`);
  return conversationOf(state, id);
};

const submitted = <T extends { submissions: number }>(conversation: T): T => ({
  ...conversation,
  submissions: conversation.submissions + 1,
});

type Begin = Extract<CallInput<CodexCaller>, { kind: 'begin' }>;

/** `requestId` is what a client cancels by; that of a call whose request was answered is no id of the client. */
const toBegin = (caller: CodexCaller, requestId: Request['id'], op: Begin['op']): Begin => ({
  kind: 'begin',
  call: { callId: op.callId, requestId, asksBy: 'request', caller },
  op,
});

const respond = ({ id, batch }: Request, result: unknown): Outgoing => ({ kind: 'response', id, batch, result });
