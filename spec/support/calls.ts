/** Values for the specs of calls: calls of a face whose requests are known by a text. */
import type { CodexEvent, Event } from '../../src/protocol/codex/events';
import { type TurnOp, toInput } from '../../src/protocol/codex/operations';
import { type Call, type CallState, type Calls, noCalls, putCall } from '../../src/server/calls/calls';
import { complete, delta, request, started, turnEventOf } from './mcp';

/** A face that shows only which request waits. */
export type Waiting = { request: string };

export const callA: Call<Waiting> = {
  callId: 'a',
  requestId: '1',
  asksBy: 'request',
  caller: { request: 'first' },
};

/** The same call for a caller that is asked by the result of its request, and its second request. */
export const byResult: Call<Waiting> = { ...callA, asksBy: 'result' };
export const again: Call<Waiting> = { ...byResult, requestId: '2', caller: { request: 'second' } };

export const opA: TurnOp = {
  kind: 'turn',
  callId: 'a',
  eventId: '1',
  thread: { start: {} },
  input: toInput('go'),
  askable: true,
};

/** Events of the turn of call a. */
export const events = {
  started: turnEventOf(opA, started) as CodexEvent,
  delta: turnEventOf(opA, delta('text')) as CodexEvent,
  question: turnEventOf(opA, request, 7) as CodexEvent,
  second: turnEventOf(opA, request, 8) as CodexEvent,
  message: turnEventOf(opA, { type: 'agent_message', message: 'text' }) as CodexEvent,
  error: turnEventOf(opA, { type: 'error', message: 'model down' }) as CodexEvent,
  complete: turnEventOf(opA, complete('done')) as CodexEvent,
  aborted: turnEventOf(opA, { type: 'turn_aborted', reason: 'interrupted' }) as CodexEvent,
  declined: { kind: 'declined', callId: 'a', what: '`touch`', reason: 'late', question: 7 },
  refused: { kind: 'rejected', callId: 'a', message: 'no such thread' },
} as const satisfies Record<string, Event>;

/** A state with these open calls. */
export const callsOf = (...entries: CallState<Waiting>[]): Calls<Waiting> =>
  entries.reduce(putCall<Waiting>, { ...noCalls<Waiting>(), begun: entries.length });
