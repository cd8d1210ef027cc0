import { suspendCall } from '../../../src/server/calls/suspendCall';
import { newTurn } from '../../../src/server/calls/turn';
import { withdrawn } from '../../../src/server/calls/withdrawn';
import { byResult, callsOf, events } from '../../support/calls';

const turn = { ...newTurn, questions: new Map([[7, events.question]]) };
const running = { phase: 'running', call: byResult, order: 0, turn } as const;
const awaiting = { phase: 'awaitingInput', call: byResult, order: 0, turn, buffered: [] } as const;
const resumed = { kind: 'resumed', call: byResult } as const;

describe('suspendCall', () => {
  it.each([
    ['that runs', running],
    ['that awaits input, whose buffer was sent', { ...awaiting, buffered: [events.message] }],
  ])('answers the request of a call %s with its questions, after the rest', (_, entry) => {
    expect(suspendCall(callsOf(entry), entry, [resumed])).toEqual({
      state: callsOf(awaiting),
      output: [resumed, { kind: 'suspended', call: byResult, questions: turn.questions }],
      ops: [],
    });
  });
});

describe('withdrawn', () => {
  it('names the questions and the reason, and is nothing without questions', () => {
    const output = { kind: 'withdrawn', call: byResult, questions: [7], reason: 'late' };
    expect(withdrawn(byResult, turn.questions.keys(), 'late')).toEqual([output]);
    expect(withdrawn(byResult, [], 'late')).toEqual([]);
  });
});
