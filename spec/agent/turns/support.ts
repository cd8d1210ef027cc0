/** Owns the calls and events that the specs of turns share. */

import { turnEvent } from '../../../src/agent/turns/turnEvents';
import type { CodexEvent, Event } from '../../../src/protocol/codex/events';
import type { CloseOp, Op, OpenOp, ThreadRef, TurnOp } from '../../../src/protocol/codex/operations';

export const call = (callId: string, thread: ThreadRef = { start: {} }): TurnOp => ({
  kind: 'turn',
  callId,
  eventId: `${callId}-event`,
  thread,
  input: [],
  askable: true,
});
/** The same call as input for the turn that runs. */
export const input = (callId: string, thread: ThreadRef = { id: 'T' }): TurnOp => ({
  ...call(callId, thread),
  kind: 'input',
});
const onThread = (callId: string, thread: ThreadRef) => ({ callId, eventId: `${callId}-event`, thread, askable: true });
export const open = (callId: string, thread: ThreadRef = { start: {} }): OpenOp => ({
  kind: 'open',
  ...onThread(callId, thread),
});
export const close = (callId: string, thread: ThreadRef = { id: 'T' }): CloseOp => ({
  kind: 'close',
  ...onThread(callId, thread),
});
export const cancel = (callId: string): Op => ({ kind: 'interrupt', callId });

/** The event that ends a call. */
export const done = (callId: string, threadId = '', turnId = ''): CodexEvent =>
  turnEvent({ op: call(callId), threadId, turnId }, { type: 'task_complete', last_agent_message: null });
/** The event that ends a call which was stopped. */
export const aborted = (callId: string, threadId = ''): CodexEvent =>
  turnEvent({ op: call(callId), threadId, turnId: '' }, { type: 'turn_aborted', reason: 'interrupted' });
/** An event before the last. */
export const eventOf = (callId: string, message = ''): Event =>
  turnEvent({ op: call(callId), threadId: '', turnId: '' }, { type: 'background_event', message });
export const rejected = (callId: string, message: string): Event => ({ kind: 'rejected', callId, message });
export const finished = (callId: string, threadId: string): Event => ({ kind: 'done', callId, threadId });
export const joined = (callId: string, turnCallId: string, threadId = 'T'): Event => ({
  kind: 'joined',
  callId,
  threadId,
  turnCallId,
});
