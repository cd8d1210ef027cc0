import type { CallState } from '../../../src/server/calls/call';
import { cancelCalls } from '../../../src/server/calls/cancelCalls';
import { newTurn } from '../../../src/server/calls/turn';
import { callA, callsOf, events, type Waiting } from '../../support/calls';

const other = { ...callA, callId: 'b', requestId: '2' };
const twin = { ...callA, callId: 'c' };
const asked = { ...newTurn, questions: new Map([[7, events.question]]) };
const running = { phase: 'running', call: callA, order: 0, turn: newTurn } as const;
const cancelled = { phase: 'cancelled', call: callA, order: 0 } as const;
const awaiting = { phase: 'awaitingInput', call: callA, order: 0, turn: asked, buffered: [] } as const;
const outcome = { kind: 'rejected', message: 'm' } as const;
const finished = { phase: 'finished', call: callA, order: 0, buffered: [], outcome } as const;
const interrupt = { kind: 'interrupt', callId: 'a' };
const silent = { kind: 'cancelled', call: callA };

describe('cancelCalls', () => {
  it.each<[string, CallState<Waiting>, object[]]>([
    ['that runs', running, [silent]],
    [
      'that waits for an answer, whose question is withdrawn',
      { ...running, turn: asked },
      [{ kind: 'withdrawn', call: callA, questions: [7], reason: 'the call was cancelled' }, silent],
    ],
  ])('interrupts the turn of a call %s', (_, entry, output) => {
    expect(cancelCalls(callsOf(entry), '1')).toEqual({ state: callsOf(cancelled), output, ops: [interrupt] });
  });

  it('interrupts both calls of a request id that is used twice, in their order, and no other', () => {
    const rest = { ...running, call: other, order: 2 };
    const { state, output, ops } = cancelCalls(callsOf(running, { ...running, call: twin, order: 1 }, rest), '1');
    expect(state).toEqual(callsOf(cancelled, { ...cancelled, call: twin, order: 1 }, rest));
    expect(output).toEqual([silent, { kind: 'cancelled', call: twin }]);
    expect(ops).toEqual([interrupt, { kind: 'interrupt', callId: 'c' }]);
  });

  it.each([
    ['of a call that is cancelled already', callsOf(cancelled), '1'],
    ['that was answered with the questions of its call', callsOf(awaiting), '1'],
    ['whose call has finished since it was answered', callsOf(finished), '1'],
    ['of no call', callsOf(running), '9'],
  ])('changes nothing for a request %s', (_, state, requestId) => {
    expect(cancelCalls(state, requestId)).toEqual({ state, output: [], ops: [] });
  });
});
