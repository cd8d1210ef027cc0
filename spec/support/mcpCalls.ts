/** Values for the specs of calls as MCP shows them. */
import type { CodexEvent, DeltaEvents } from '../../src/protocol/codex/events';
import { type TurnOp, toInput } from '../../src/protocol/codex/operations';
import type { CallOutput } from '../../src/server/calls/step';
import type { Caller, McpCall } from '../../src/server/mcp/caller';
import { complete, delta, request, started, THREAD, turnEventOf } from './mcp';

export const legacy: Caller = { method: 'tools/call', id: 1, era: { modern: false, capabilities: {} }, digest: 'd' };
export const modern: Caller = { method: 'tools/call', id: 1, era: { modern: true, capabilities: {} }, digest: 'd' };

export const callOf = (caller: Caller, callId = 'c'): McpCall => ({
  callId,
  requestId: caller.id,
  asksBy: caller.era.modern ? 'result' : 'request',
  caller,
});

export const op: TurnOp = {
  kind: 'turn',
  callId: 'c',
  eventId: '1',
  thread: { start: {} },
  input: toInput('go'),
  askable: true,
};

const { msg: _, ...ids } = turnEventOf(op, started) as CodexEvent;

export const events = {
  started: turnEventOf(op, started) as CodexEvent,
  delta: turnEventOf(op, delta('text')) as CodexEvent,
  deltas: { ...ids, kind: 'deltas', msgs: [delta('text'), delta('more')] } as DeltaEvents,
  question: turnEventOf(op, request, 7) as CodexEvent,
  complete: turnEventOf(op, complete('done')) as CodexEvent,
};

export const done = { kind: 'completed', threadId: THREAD, text: 'done', notDone: [] } as const;

/** The outputs of a call of this caller. */
export const outputsOf = (caller: Caller, callId = 'c') => {
  const call = callOf(caller, callId);
  return {
    begun: { kind: 'begun', call, op },
    resumed: { kind: 'resumed', call },
    started: { kind: 'event', call, event: events.started, delivery: 'live' },
    delta: { kind: 'event', call, event: events.delta, delivery: 'live' },
    deltas: { kind: 'deltas', call, event: events.deltas },
    replayed: { kind: 'event', call, event: events.started, delivery: 'replayed' },
    missed: { kind: 'event', call, event: events.started, delivery: 'missed' },
    missedLast: { kind: 'event', call, event: events.complete, delivery: 'missed' },
    question: { kind: 'question', call, question: 7, event: events.question },
    withdrawn: { kind: 'withdrawn', call, questions: [7, 8], reason: 'late' },
    suspended: { kind: 'suspended', call, questions: new Map([[7, events.question]]) },
    cancelled: { kind: 'cancelled', call },
    finished: { kind: 'finished', call, outcome: done },
    unknown: { kind: 'rejected', call, reason: 'unknown' },
    busy: { kind: 'rejected', call, reason: 'busy' },
    unaskable: { kind: 'rejected', call, reason: 'unaskable' },
  } as const satisfies Record<string, CallOutput<Caller>>;
};
