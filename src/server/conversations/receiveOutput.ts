/** The outputs of calls for the Codex methods: responses, and messages for listeners. */
import { INTERNAL_ERROR, INVALID_REQUEST, type Outgoing, type Request } from '../../protocol/jsonrpc/messages';
import type { CallOutput } from '../calls/step';
import type { Outcome } from '../calls/turn';
import {
  type CodexCall,
  type CodexCaller,
  type ConversationDeps,
  type Conversations,
  conversationOf,
  withoutConversation,
  withoutLasting,
} from './conversation';
import { type Delivered, deliver, withdraw } from './deliver';
import { respond } from './receiveRequest';

/** The step for an output of a call that a Codex method began. */
export const receiveOutput = (
  deps: ConversationDeps,
  state: Conversations,
  output: CallOutput<CodexCaller>,
): Delivered => {
  switch (output.kind) {
    case 'event':
      return receiveEvent(deps, state, output);
    case 'deltas':
    case 'question':
      return deliver(deps, { state, threadId: output.event.threadId }, output);
    case 'withdrawn':
      return withdrawn(deps, state, output);
    case 'cancelled':
      return { state: withoutOpening(state, output.call), messages: silence(output.call) };
    case 'finished':
      return finish(deps, state, output);
    default:
      return { state, messages: [] };
  }
};

type Output<K> = Extract<CallOutput<CodexCaller>, { kind: K }>;

/** The step for an output of a call of a tool: listeners of its thread get the events too. */
export const observeOutput = (deps: ConversationDeps, state: Conversations, output: CallOutput<unknown>): Delivered => {
  if (output.kind !== 'event' && output.kind !== 'deltas') return { state, messages: [] };
  const { threadId } = output.event;
  const isForListeners = conversationOf(state, threadId).listeners.length > 0 && isShown(output);
  return isForListeners ? deliver(deps, { state, threadId }, output) : { state, messages: [] };
};

/** Buffered events were delivered when they happened. Source: Codex 0.28.0, no listener gets `session_configured`. */
const isShown = (output: Extract<CallOutput<unknown>, { kind: 'event' | 'deltas' }>): boolean =>
  output.kind === 'deltas' || (output.delivery !== 'replayed' && output.event.msg.type !== 'session_configured');

const receiveEvent = (deps: ConversationDeps, state: Conversations, output: Output<'event'>): Delivered => {
  const { call, event } = output;
  if (event.msg.type === 'session_configured') {
    if (call.caller.method !== 'newConversation') return { state, messages: [] };
    const models = new Map(state.models).set(call.callId, event.msg.model);
    return { state: { ...state, models }, messages: [] };
  }
  if (call.caller.method !== 'send') return { state, messages: [] }; // opening a thread, or stopping its turn, is no turn
  return deliver(deps, { state, threadId: event.threadId }, output);
};

const withdrawn = (deps: ConversationDeps, state: Conversations, output: Output<'withdrawn'>): Delivered => {
  const { caller } = output.call;
  return caller.method === 'send'
    ? withdraw(deps, { state, threadId: caller.conversationId }, output)
    : { state, messages: [] };
};

const finish = (deps: ConversationDeps, state: Conversations, { call, outcome }: Output<'finished'>): Delivered => {
  const { caller } = call;
  switch (caller.method) {
    case 'newConversation':
      return opened(state, { callId: call.callId, request: caller.request, outcome });
    case 'resumeConversation':
      return {
        state: outcome.kind === 'done' ? state : withoutOpening(state, call),
        messages: [toResumed(caller, outcome)],
      };
    case 'interruptConversation':
      return { state, messages: [toInterrupted(caller.request, outcome)] };
    case 'thread/unsubscribe':
      return closed(state, caller, outcome);
    case 'send':
      return outcome.kind === 'rejected'
        ? fail(deps, state, { call, message: outcome.message })
        : { state, messages: [] };
  }
};

/** The request was answered before the input was rejected, so listeners get the reason. */
const fail = (
  deps: ConversationDeps,
  state: Conversations,
  { call, message }: { call: CodexCall; message: string },
): Delivered => {
  const { callId, caller } = call;
  if (caller.method !== 'send') return { state, messages: [] };
  const { conversationId: threadId, eventId: id } = caller;
  const about = { kind: 'event', callId, threadId, turnId: '', id } as const;
  const error = deliver(
    deps,
    { state, threadId },
    { kind: 'event', event: { ...about, msg: { type: 'error', message } } },
  );
  const end = { ...about, msg: { type: 'task_complete', last_agent_message: null } } as const;
  const ended = deliver(deps, { state: error.state, threadId }, { kind: 'event', event: end });
  return { state: ended.state, messages: [...error.messages, ...ended.messages] };
};

const silence = ({ caller }: CodexCall): Outgoing[] =>
  caller.method === 'send' ? [] : [{ kind: 'noResponse', batch: caller.request.batch }];

type Opened = { callId: string; request: Request; outcome: Outcome };

/** The state without what was noted for a thread that is not opened. */
const withoutOpening = (state: Conversations, { callId, caller }: CodexCall): Conversations => {
  if (caller.method === 'resumeConversation') return withoutLasting(state, caller.stored.id, caller.lasting);
  return state.models.has(callId) ? { ...state, models: withoutModel(state, callId) } : state;
};

const withoutModel = ({ models }: Conversations, callId: string): Conversations['models'] =>
  new Map([...models].filter(([id]) => id !== callId));

/** The response to `newConversation`. */
export const opened = (state: Conversations, { callId, request, outcome }: Opened): Delivered => {
  const response =
    outcome.kind === 'done'
      ? respond(request, { conversationId: outcome.threadId, model: state.models.get(callId) ?? '' })
      : refuse(request, toOpenError('creating', outcome));
  return { state: { ...state, models: withoutModel(state, callId) }, messages: [response] };
};

const refuse = ({ id, batch }: Request, error: { code: number; message: string }): Outgoing => ({
  kind: 'response',
  id,
  batch,
  error,
});

/** Source: the app-server protocol of the releases after 0.28.0; the messages so far are not repeated. */
export const toResumed = ({ request, stored: { model, path: rolloutPath } }: Resuming, outcome: Outcome): Outgoing =>
  outcome.kind === 'done'
    ? respond(request, { conversationId: outcome.threadId, model, rolloutPath })
    : refuse(request, toOpenError('resuming', outcome));

type Resuming = Extract<CodexCaller, { method: 'resumeConversation' }>;

/** The prefix that an engine writes if settings do not fit. */
const WRONG_SETTINGS = 'Failed to load Codex configuration: ';

/** Source: Codex 0.28.0, WIRE 10.1. */
const toOpenError = (what: 'creating' | 'resuming', outcome: Outcome): { code: number; message: string } => {
  const reason = reasonOf(outcome);
  return reason.startsWith(WRONG_SETTINGS)
    ? { code: INVALID_REQUEST, message: `error deriving config: ${reason.slice(WRONG_SETTINGS.length)}` }
    : { code: INTERNAL_ERROR, message: `error ${what} conversation: ${reason}` };
};

const reasonOf = (outcome: Outcome): string => {
  switch (outcome.kind) {
    case 'rejected':
    case 'failed':
      return outcome.message;
    case 'stopped':
      return outcome.cause;
    default:
      return 'it was stopped';
  }
};

/** The response to an interrupt. It is the same if no turn ran, as the client must not wait for an event. */
export const toInterrupted = (request: Request, outcome: Outcome): Outgoing =>
  outcome.kind === 'done'
    ? respond(request, { abortReason: 'interrupted' })
    : refuse(request, { code: INTERNAL_ERROR, message: reasonOf(outcome) });

/** The response to `thread/unsubscribe`, and the notification that the thread is closed. Its listeners are removed. */
const closed = (state: Conversations, { request, threadId }: Leaving, outcome: Outcome): Delivered => {
  const left = withoutConversation(state, threadId);
  if (outcome.kind === 'rejected') return { state: left, messages: [respond(request, { status: 'notLoaded' })] }; // closed before
  if (outcome.kind !== 'done')
    return { state, messages: [refuse(request, { code: INTERNAL_ERROR, message: reasonOf(outcome) })] };
  const notification: Outgoing = { kind: 'notification', method: 'thread/closed', params: { threadId } };
  return { state: left, messages: [respond(request, { status: 'unsubscribed' }), notification] };
};

type Leaving = Extract<CodexCaller, { method: 'thread/unsubscribe' }>;
