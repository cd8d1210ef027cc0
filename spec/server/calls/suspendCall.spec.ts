import { askByResult, suspendCall } from '../../../src/server/calls/suspendCall';
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
      state: callsOf({ ...awaiting, turn: { ...turn, rounds: 1 } }),
      output: [resumed, { kind: 'suspended', call: byResult, questions: turn.questions }],
      ops: [],
    });
  });
});

describe('askByResult', () => {
  const question = { ...events.question, question: 7 };
  const live = { kind: 'event', call: byResult, event: question, delivery: 'live' } as const;
  const asked = (rounds: number) => ({ ...running, turn: { ...turn, rounds } });

  it('asks up to ten times in one call', () => {
    const { output, ops } = askByResult(callsOf(asked(9)), asked(9), question);
    expect(output).toEqual([live, { kind: 'suspended', call: byResult, questions: turn.questions }]);
    expect(ops).toEqual([]);
  });

  it('denies the next question, as the client would give the call up', () => {
    const reason = 'the client was asked 10 times in this call, as often as clients answer; go on with codex-reply';
    expect(askByResult(callsOf(asked(10)), asked(10), question)).toEqual({
      state: callsOf(asked(10)),
      output: [live],
      ops: [{ kind: 'verdict', question: 7, verdict: { decision: 'denied', reason } }],
    });
  });
});

describe('askByResult, for a request whose client cannot be asked', () => {
  it('denies the question with the reason', () => {
    const question = { ...events.question, question: 7 };
    const call = { ...byResult, cannotAsk: 'its last request declared no elicitation' };
    const entry = { ...running, call };
    const reason = 'the client cannot be asked (its last request declared no elicitation)';
    expect(askByResult(callsOf(entry), entry, question)).toEqual({
      state: callsOf(entry),
      output: [{ kind: 'event', call, event: question, delivery: 'live' }],
      ops: [{ kind: 'verdict', question: 7, verdict: { decision: 'denied', reason } }],
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
