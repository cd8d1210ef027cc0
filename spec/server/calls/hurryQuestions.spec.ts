import { hurryQuestion, hurryQuestions } from '../../../src/server/calls/hurryQuestions';
import { newTurn, type Turn } from '../../../src/server/calls/turn';
import { byResult, callA, callsOf, events } from '../../support/calls';
import { THREAD } from '../../support/mcp';

const asked: Turn = { ...newTurn, threadId: THREAD, questions: new Map([[7, events.question]]) };
const awaiting = { phase: 'awaitingInput', call: byResult, order: 0, turn: asked, buffered: [] } as const;
const running = (order: number, threadId: string) =>
  ({ phase: 'running', call: { ...callA, callId: 'b' }, order, turn: { ...newTurn, threadId } }) as const;
const short = [{ kind: 'wait', question: 7, limit: 'short' }];

describe('hurryQuestions', () => {
  it('shortens the wait of the questions on the thread whose client is away', () => {
    expect(hurryQuestions(callsOf(awaiting), THREAD)).toEqual(short);
  });

  it.each([
    ['of another thread', callsOf(awaiting), 'other'],
    ['where the thread is not known', callsOf(awaiting), undefined],
    ['whose client waits', callsOf({ phase: 'running', call: callA, order: 0, turn: asked }), THREAD],
  ] as const)('leaves questions %s to their time', (_, state, threadId) => {
    expect(hurryQuestions(state, threadId)).toEqual([]);
  });
});

describe('hurryQuestion', () => {
  const asking = { order: 1, threadId: THREAD, question: 7 };

  it('shortens its wait where a later call waits for the thread', () => {
    expect(hurryQuestion(callsOf(running(2, THREAD)), asking)).toEqual(short);
  });

  it.each([
    ['an earlier call', running(0, THREAD)],
    ['the call itself', running(1, THREAD)],
    ['a call of another thread', running(2, 'other')],
    ['one that nobody waits for', { ...awaiting, order: 2 }],
  ] as const)('leaves it to its time where there is only %s', (_, entry) => {
    expect(hurryQuestion(callsOf(entry), asking)).toEqual([]);
  });
});
