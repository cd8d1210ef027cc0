import type { CallState } from '../../../src/server/calls/calls';
import { askByResult, hurryQuestion, hurryQuestions, resumeCall } from '../../../src/server/calls/questions';
import { newTurn, type Turn } from '../../../src/server/calls/turn';
import { again, byResult, callA, callsOf, events, type Waiting } from '../../support/calls';
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

describe('askByResult', () => {
  const question = { ...events.question, question: 7 };
  const live = { kind: 'event', call: byResult, event: question, delivery: 'live' } as const;
  const running = (rounds: number) =>
    ({ phase: 'running', call: byResult, order: 0, turn: { ...asked, rounds } }) as const;

  it('answers the request with the question, up to ten times in one call', () => {
    expect(askByResult(callsOf(running(9)), running(9), question)).toEqual({
      state: callsOf({ ...awaiting({ ...asked, rounds: 10 }), buffered: [] }),
      output: [live, { kind: 'suspended', call: byResult, questions: asked.questions }],
      ops: [],
    });
  });

  it('denies the next question, as the client would give the call up', () => {
    const reason = 'the client was asked 10 times in this call, as often as clients answer; go on with codex-reply';
    expect(askByResult(callsOf(running(10)), running(10), question)).toEqual({
      state: callsOf(running(10)),
      output: [live],
      ops: [{ kind: 'verdict', question: 7, verdict: { decision: 'denied', reason } }],
    });
  });

  it('denies a question of a client that cannot be asked, with the reason', () => {
    const call = { ...byResult, cannotAsk: 'its last request declared no elicitation' };
    const entry = { ...running(0), call };
    const reason = 'the client cannot be asked (its last request declared no elicitation)';
    expect(askByResult(callsOf(entry), entry, question)).toEqual({
      state: callsOf(entry),
      output: [{ ...live, call }],
      ops: [{ kind: 'verdict', question: 7, verdict: { decision: 'denied', reason } }],
    });
  });
});

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
  ])('asks again %s, and the time of the question begins again', (_, input) => {
    expect(resumeCall(callsOf(awaiting(asked)), input)).toEqual({
      state: callsOf({ ...awaiting({ ...asked, rounds: 1 }), call: again, buffered: [] }),
      output: [...resumed, { kind: 'suspended', call: again, questions: asked.questions }],
      ops: [{ kind: 'wait', question: 7, limit: 'long' }],
    });
  });

  it('leaves the time of a question that its client has, and begins the time of one that it gets now', () => {
    const questions = new Map([...asked.questions, [8, events.second]]);
    const later = { ...events.question, question: 8 };
    const entry = { ...awaiting({ ...asked, questions }), buffered: [later] };
    const input = { ...resume(), call: { ...again, asksBy: 'request' as const } };
    expect(resumeCall(callsOf(entry), input).ops).toEqual([
      { kind: 'wait', question: 7, limit: 'back' },
      { kind: 'wait', question: 8, limit: 'long' },
    ]);
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

describe('hurryQuestions', () => {
  const away = awaiting(asked);
  const running = (order: number, threadId: string) =>
    ({ phase: 'running', call: { ...callA, callId: 'b' }, order, turn: { ...newTurn, threadId } }) as const;
  const short = [{ kind: 'wait', question: 7, limit: 'short' }];

  it('shortens the wait of the questions on a thread whose client is away, for a new call', () => {
    expect(hurryQuestions(callsOf(away), THREAD)).toEqual(short);
  });

  it.each([
    ['of another thread', callsOf(away), 'other'],
    ['if the thread is not known', callsOf(away), undefined],
    ['whose client waits', callsOf({ phase: 'running', call: callA, order: 0, turn: asked }), THREAD],
  ] as const)('leaves questions %s to their time', (_, state, threadId) => {
    expect(hurryQuestions(state, threadId)).toEqual([]);
  });

  it.each([
    ['shortens', 'if a later call waits for the thread', running(2, THREAD), short],
    ['leaves', 'for an earlier call', running(0, THREAD), []],
    ['leaves', 'for the call itself', running(1, THREAD), []],
    ['leaves', 'for a call of another thread', running(2, 'other'), []],
    ['leaves', 'for a call without a waiting request', { ...away, order: 2 }, []],
  ] as const)('%s the wait of a new question %s', (_, __, entry, waits) => {
    expect(hurryQuestion(callsOf(entry), { order: 1, threadId: THREAD, question: 7 })).toEqual(waits);
  });
});
