import {
  advanceTurn,
  closeQuestions,
  newTurn,
  type Outcome,
  openQuestions,
  outcomeOf,
  type Turn,
  turnOn,
} from '../../../src/server/calls/turn';
import { events, opA } from '../../support/calls';
import { complete, THREAD, turnEventOf } from '../../support/mcp';

const begun: Turn = { ...newTurn, threadId: THREAD };
const asked: Turn = {
  ...begun,
  questions: new Map([
    [7, events.question],
    [8, events.second],
  ]),
};
const second = new Map([[8, events.second]]);

describe('turnOn', () => {
  it('is on the thread that the call names, whatever its notation', () => {
    expect(turnOn({ id: THREAD.toUpperCase() })).toEqual(begun);
    expect(turnOn({ newest: true })).toBe(newTurn);
    expect(turnOn({ newest: true }, THREAD)).toEqual(begun);
    expect(turnOn({ start: {} }, THREAD)).toBe(newTurn);
  });
});

describe('advanceTurn', () => {
  it.each([
    ['the thread of the first event, and its step', newTurn, events.started, { ...begun, steps: ['thinking'] }],
    [
      'no more than the last steps',
      { ...begun, steps: Array.from({ length: 20 }, (_, at) => `${at}`) },
      events.message,
      { ...begun, steps: [...Array.from({ length: 19 }, (_, at) => `${at + 1}`), 'text'] },
    ],
    ['an error', begun, events.error, { ...begun, error: 'model down' }],
    [
      'that the model of the client is asked',
      newTurn,
      { kind: 'sampling' as const, callId: 'a', threadId: THREAD, question: 9, params: {} },
      { ...begun, sampling: 9 },
    ],
    [
      'that the client is asked about terminals, more than once at a time',
      { ...begun, terminals: [8] },
      {
        kind: 'terminal' as const,
        callId: 'a',
        threadId: THREAD,
        question: 9,
        request: { act: 'kill', terminal: 't' } as const,
      },
      { ...begun, terminals: [8, 9] },
    ],
    [
      'a question',
      begun,
      events.question,
      { ...begun, questions: new Map([[7, events.question]]), steps: ["waiting for approval: touch 'a b'"] },
    ],
    [
      'what was declined, and closes its question',
      asked,
      events.declined,
      { ...begun, notDone: [{ what: '`touch`', reason: 'late' }], questions: second },
    ],
    [
      'what the client declined',
      begun,
      { ...events.declined, reason: undefined },
      { ...begun, notDone: [{ what: '`touch`' }] },
    ],
  ])('keeps %s', (_, turn, event, next) => {
    expect(advanceTurn(turn, event)).toEqual(next);
  });

  it.each([events.delta, events.complete, events.refused])('stays the same object for %j', (event) => {
    expect(advanceTurn(asked, event)).toBe(asked);
  });
});

describe('openQuestions', () => {
  it('has what a person, the model of the client and the client itself were asked', () => {
    expect(openQuestions({ ...asked, sampling: 9, terminals: [10, 11] })).toEqual([7, 8, 9, 10, 11]);
    expect(openQuestions(begun)).toEqual([]);
  });
});

describe('closeQuestions', () => {
  it('closes those that are open, and leaves the turn as it was', () => {
    expect(closeQuestions(asked, [7, 9])).toEqual({ ...begun, questions: second });
    expect([...asked.questions.keys()]).toEqual([7, 8]);
  });

  it('closes what the client was asked', () => {
    expect(closeQuestions({ ...asked, sampling: 9 }, [9])).toEqual(asked);
    expect(closeQuestions({ ...asked, terminals: [9, 10] }, [9])).toEqual({ ...asked, terminals: [10] });
  });

  it('stays the same object if none is open', () => {
    expect(closeQuestions(asked, [9])).toBe(asked);
    expect(closeQuestions(asked, [])).toBe(asked);
  });
});

describe('outcomeOf', () => {
  const notDone = [{ what: '`touch`', reason: 'late' }];
  const turn = { ...newTurn, threadId: THREAD, notDone };
  const failed = { ...turn, error: 'model down' };
  const silent = turnEventOf(opA, complete(null)) as typeof events.complete;

  it.each<[string, Outcome, Parameters<typeof outcomeOf>]>([
    ['completed', { kind: 'completed', threadId: THREAD, text: 'done', notDone }, [turn, events.complete]],
    ['completed without a message', { kind: 'completed', threadId: THREAD, text: '', notDone }, [turn, silent]],
    ['aborted', { kind: 'aborted', threadId: THREAD, notDone }, [turn, events.aborted]],
    [
      'failed, however it ended',
      { kind: 'failed', threadId: THREAD, message: 'model down', notDone },
      [failed, events.aborted],
    ],
    [
      'failed with a JSON-RPC error',
      { kind: 'failed', threadId: THREAD, message: 'no', rpcError: { code: 1, message: 'no' }, notDone },
      [{ ...turn, error: 'no', rpcError: { code: 1, message: 'no' } }, events.complete],
    ],
    ['done', { kind: 'done', threadId: 'T' }, [turn, { kind: 'done', callId: 'a', threadId: 'T' }]],
    [
      'joined',
      { kind: 'joined', threadId: 'T' },
      [turn, { kind: 'joined', callId: 'a', threadId: 'T', turnCallId: 'b' }],
    ],
    ['rejected', { kind: 'rejected', message: 'no such thread' }, [failed, events.refused]],
  ])('is %s', (_, outcome, given) => {
    expect(outcomeOf(...given)).toEqual(outcome);
  });
});
