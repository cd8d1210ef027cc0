/** The responses to requests that wait for the outcome of their call. */
import { INTERNAL_ERROR, INVALID_REQUEST, type Outgoing, type Request } from '../../protocol/jsonrpc/messages';
import type { Outcome } from '../calls/outcomeOf';
import { type CodexCaller, type Conversations, withoutConversation } from './conversation';
import type { Delivered } from './deliver';

type Opened = { callId: string; request: Request; outcome: Outcome };

/** The response to `newConversation`. */
export const opened = (state: Conversations, { callId, request, outcome }: Opened): Delivered => {
  const models = new Map(state.models);
  models.delete(callId);
  const { id, batch } = request;
  if (outcome.kind !== 'done') {
    return {
      state: { ...state, models },
      messages: [{ kind: 'response', id, batch, error: toOpenError('creating', outcome) }],
    };
  }
  const { threadId: conversationId } = outcome;
  const result = { conversationId, model: state.models.get(callId) ?? '' };
  return { state: { ...state, models }, messages: [{ kind: 'response', id, batch, result }] };
};

/** Source: the app-server protocol of the releases after 0.28.0; the messages so far are not repeated. */
export const toResumed = ({ request: { id, batch }, stored }: Resuming, outcome: Outcome): Outgoing =>
  outcome.kind === 'done'
    ? {
        kind: 'response',
        id,
        batch,
        result: { conversationId: outcome.threadId, model: stored.model, rolloutPath: stored.path },
      }
    : { kind: 'response', id, batch, error: toOpenError('resuming', outcome) };

type Resuming = Extract<CodexCaller, { method: 'resumeConversation' }>;

/** The text of an engine for settings that do not fit. */
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

/** The response to an interrupt. Where no turn ran it is the same, as the client must not wait for an event. */
export const toInterrupted = ({ id, batch }: Request, outcome: Outcome): Outgoing =>
  outcome.kind === 'done'
    ? { kind: 'response', id, batch, result: { abortReason: 'interrupted' } }
    : { kind: 'response', id, batch, error: { code: INTERNAL_ERROR, message: reasonOf(outcome) } };

/** The response to `thread/unsubscribe`, and that the thread is closed: its listeners are gone with it. */
export const closed = (state: Conversations, { request, threadId }: Leaving, outcome: Outcome): Delivered => {
  const { id, batch } = request;
  if (outcome.kind === 'rejected') {
    const result = { status: 'notLoaded' }; // closed before
    return { state: withoutConversation(state, threadId), messages: [{ kind: 'response', id, batch, result }] };
  }
  if (outcome.kind !== 'done') {
    const error = { code: INTERNAL_ERROR, message: reasonOf(outcome) };
    return { state, messages: [{ kind: 'response', id, batch, error }] };
  }
  const response: Outgoing = { kind: 'response', id, batch, result: { status: 'unsubscribed' } };
  const notification: Outgoing = { kind: 'notification', method: 'thread/closed', params: { threadId } };
  return { state: withoutConversation(state, threadId), messages: [response, notification] };
};

type Leaving = Extract<CodexCaller, { method: 'thread/unsubscribe' }>;
