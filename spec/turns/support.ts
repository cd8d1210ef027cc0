/** Owns the calls and events that the specs of turns share. */
import type { CodexEvent, Event, Op, ThreadRef, TurnOp } from '../../src/protocol/codex';
import { turnEvent } from '../../src/turns';

export const call = (callId: string, thread: ThreadRef = { start: {} }): TurnOp => ({
  kind: 'turn',
  callId,
  eventId: `${callId}-event`,
  thread,
  prompt: '',
  askable: true,
});
export const cancel = (callId: string): Op => ({ kind: 'interrupt', callId });

/** The event that ends a call. */
export const done = (callId: string, threadId = '', turnId = ''): CodexEvent =>
  turnEvent({ op: call(callId), threadId, turnId }, { type: 'task_complete', last_agent_message: null });
/** The event that ends a call which was stopped. */
export const aborted = (callId: string, threadId = ''): CodexEvent =>
  turnEvent({ op: call(callId), threadId, turnId: '' }, { type: 'turn_aborted', reason: 'interrupted' });
/** An event before the last. */
export const news = (callId: string, message = ''): Event =>
  turnEvent({ op: call(callId), threadId: '', turnId: '' }, { type: 'background_event', message });
export const rejected = (callId: string, message: string): Event => ({ kind: 'rejected', callId, message });
