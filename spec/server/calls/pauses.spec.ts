import { noCalls } from '../../../src/server/calls/calls';
import { pauseCall, waitForCall, whileAwaitingInput } from '../../../src/server/calls/pauses';
import { reduceCalls } from '../../../src/server/calls/reduceCalls';
import type { CallInput, CallOutput } from '../../../src/server/calls/step';
import { again, callA, events, opA, type Waiting } from '../../support/calls';
import { THREAD } from '../../support/mcp';

/** The outputs of the last of these inputs, and the operations. */
const last = (...inputs: CallInput<Waiting>[]) =>
  inputs.reduce(({ state }, input) => reduceCalls(state, input), {
    state: noCalls<Waiting>(),
    output: [] as readonly CallOutput<Waiting>[],
    ops: [] as readonly unknown[],
  });

const begin: CallInput<Waiting> = { kind: 'begin', call: callA, op: opA };
const pause: CallInput<Waiting> = { kind: 'pause', requestId: '1' };
const second = { ...again, asksBy: 'request' } as const;
const wait = (threadId = THREAD): CallInput<Waiting> => ({ kind: 'wait', threadId, call: { ...second, callId: 'b' } });
const sampling = { kind: 'sampling', callId: 'a', threadId: THREAD, question: 9, params: {} } as const;
const kinds = (...inputs: CallInput<Waiting>[]) => last(...inputs).output.map(({ kind }) => kind);

describe('pauseCall', () => {
  it('answers the request that has waited long enough, and no other, once', () => {
    expect(kinds(begin, events.started, pause)).toEqual(['paused']);
    expect(kinds(begin, events.started, { ...pause, requestId: '2' })).toEqual([]);
    expect(kinds(begin, events.started, pause, pause)).toEqual([]);
    expect(pauseCall(noCalls<Waiting>(), '1').output).toEqual([]);
  });

  it('waits for the thread of a new call, and pauses no call that may be a task', () => {
    expect(kinds(begin, pause)).toEqual([]);
    expect(kinds(begin, pause, events.started)).toEqual(['event', 'paused']);
    expect(kinds(begin, pause, events.complete)).toEqual(['event', 'finished']);
    expect(kinds({ kind: 'begin', call: { ...callA, asksBy: 'task' }, op: opA }, events.started, pause)).toEqual([]);
  });
});

describe('whileAwaitingInput', () => {
  it('asks the model of the client all the same, and takes its answer', () => {
    expect(kinds(begin, events.started, pause, sampling)).toEqual(['sampling']);
    const verdict = { decision: 'denied' } as const;
    expect(last(begin, events.started, pause, sampling, { kind: 'answered', question: 9, verdict }).ops).toEqual([
      { kind: 'verdict', question: 9, verdict },
    ]);
  });

  it('withdraws what the client was asked before, when it needs no answer any more', () => {
    const asked = [begin, events.started, events.question, pause];
    expect(last(...asked, events.declined).output).toMatchObject([
      { kind: 'withdrawn', questions: [7], reason: 'late' },
    ]);
    expect(last(...asked, events.complete).output).toMatchObject([
      { kind: 'event', delivery: 'later' },
      { kind: 'withdrawn', questions: [7], reason: 'the call is over' },
    ]);
  });

  it('withdraws nothing that the client was never asked, and does not ask it later', () => {
    const unasked = [begin, events.started, pause, events.question];
    expect(kinds(...unasked)).toEqual(['event']);
    expect(kinds(...unasked, events.declined)).toEqual([]);
    expect(kinds(...unasked, events.declined, wait())).toEqual(['resumed', 'event']);
    expect(kinds(...unasked, wait())).toEqual(['resumed', 'event', 'question']);
    expect(typeof whileAwaitingInput).toBe('function');
  });
});

describe('waitForCall', () => {
  it('gives the oldest call of the thread for which no request waits', () => {
    expect(last(begin, events.started, pause, wait(THREAD.toUpperCase())).output).toEqual([
      { kind: 'resumed', call: { ...second, callId: 'a' } },
    ]);
    expect(kinds(begin, events.started, pause, events.complete, wait())).toEqual(['resumed', 'event', 'finished']);
    expect(kinds(begin, events.started, pause, events.complete, wait(), wait())).toEqual(['finished']);
  });

  it.each([
    ['nothing works', [], /no call works on it/],
    ['another request waits', [begin, events.started], /another request waits/],
  ])('is answered at once if %s', (_, before, message) => {
    expect(last(...before, wait()).output).toMatchObject([
      { kind: 'finished', outcome: { kind: 'rejected', message: expect.stringMatching(message) } },
    ]);
    expect(waitForCall(noCalls<Waiting>(), { kind: 'wait', threadId: THREAD, call: second }).ops).toEqual([]);
  });
});

describe('a client that leaves', () => {
  it('stops a call that works without a request', () => {
    expect(last(begin, events.started, pause, { kind: 'leave', cause: 'gone' })).toMatchObject({
      output: [],
      ops: [{ kind: 'interrupt', callId: 'a' }],
    });
  });
});
