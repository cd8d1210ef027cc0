import type { CallState } from '../../../src/server/calls/call';
import { resumeCall } from '../../../src/server/calls/reduceCalls';
import { newTurn, type Turn } from '../../../src/server/calls/turn';
import { again, byResult, callsOf, events, type Waiting } from '../../support/calls';
import { THREAD } from '../../support/mcp';

const asked: Turn = { ...newTurn, threadId: THREAD, questions: new Map([[7, events.question]]) };
const awaiting = (turn: Turn) =>
  ({ phase: 'awaitingInput', call: byResult, order: 0, turn, buffered: [events.message] }) as const;
const approved = { decision: 'approved' } as const;
const resume = (...questions: number[]) =>
  ({ kind: 'resume', call: again, verdicts: new Map(questions.map((question) => [question, approved])) }) as const;
const resumed = [
  { kind: 'resumed', call: again },
  { kind: 'event', call: again, event: events.message, delivery: 'replayed' },
];
const outcome = { kind: 'completed', threadId: THREAD, text: 'done', notDone: [] } as const;

describe('resumeCall', () => {
  it('goes on with the answers, after what was buffered', () => {
    expect(resumeCall(callsOf(awaiting(asked)), resume(7))).toEqual({
      state: callsOf({ phase: 'running', call: again, order: 0, turn: { ...newTurn, threadId: THREAD } }),
      output: resumed,
      ops: [{ kind: 'verdict', question: 7, verdict: approved }],
    });
  });

  it.each([
    ['without an answer', resume()],
    ['with an answer to the question of another call', resume(9)],
  ])('asks again %s, and the time of the question begins anew', (_, input) => {
    expect(resumeCall(callsOf(awaiting(asked)), input)).toEqual({
      state: callsOf({ ...awaiting({ ...asked, rounds: 1 }), call: again, buffered: [] }),
      output: [...resumed, { kind: 'suspended', call: again, questions: asked.questions }],
      ops: [{ kind: 'wait', question: 7, limit: 'long' }],
    });
  });

  it('denies a question that came with the tenth one, as its client would give the call up', () => {
    const questions = new Map([...asked.questions, [8, events.second]]);
    const turn = { ...asked, questions, rounds: 10 };
    const { state, output, ops } = resumeCall(callsOf(awaiting(turn)), resume(7));
    const left = { ...turn, questions: new Map([[8, events.second]]) };
    expect(state).toEqual(callsOf({ phase: 'running', call: again, order: 0, turn: left }));
    expect(output).toEqual(resumed);
    expect(ops).toEqual([
      { kind: 'verdict', question: 7, verdict: approved },
      { kind: 'verdict', question: 8, verdict: { decision: 'denied', reason: expect.stringContaining('10 times') } },
    ]);
  });

  it('rejects a request that leaves a question open and cannot be asked, which stays open', () => {
    const state = callsOf(awaiting(asked));
    const call = { ...again, cannotAsk: 'why' };
    expect(resumeCall(state, { ...resume(), call })).toEqual({
      state,
      output: [{ kind: 'rejected', call, reason: 'unaskable' }],
      ops: [],
    });
    expect(resumeCall(state, { ...resume(7), call })).toMatchObject({
      state: callsOf({ phase: 'running', call, order: 0, turn: { ...newTurn, threadId: THREAD } }),
      ops: [{ kind: 'verdict', question: 7, verdict: approved }],
    });
  });

  it('waits for a call whose question was withdrawn in the meantime', () => {
    const turn = { ...newTurn, threadId: THREAD };
    expect(resumeCall(callsOf(awaiting(turn)), resume(7))).toEqual({
      state: callsOf({ phase: 'running', call: again, order: 0, turn }),
      output: resumed,
      ops: [],
    });
  });

  it('gives the outcome of a call that has finished, once', () => {
    const finished = { phase: 'finished', call: byResult, order: 0, buffered: [events.message], outcome } as const;
    const { state, output } = resumeCall({ ...callsOf(finished), unclaimed: ['a'] }, resume(7));
    expect(output).toEqual([...resumed, { kind: 'finished', call: again, outcome }]);
    expect(resumeCall(state, resume()).output).toEqual([{ kind: 'rejected', call: again, reason: 'unknown' }]);
  });

  it.each<['busy' | 'unknown', CallState<Waiting>]>([
    ['busy', { phase: 'running', call: byResult, order: 0, turn: asked }],
    ['unknown', { phase: 'cancelled', call: byResult, order: 0 }],
  ])('rejects a request for a call that is %s, and no answer of it counts', (reason, entry) => {
    expect(resumeCall(callsOf(entry), resume(7))).toEqual({
      state: callsOf(entry),
      output: [{ kind: 'rejected', call: again, reason }],
      ops: [],
    });
  });
});
