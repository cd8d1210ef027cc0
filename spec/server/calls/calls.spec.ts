import { callOf, callsInOrder, dropCall, keepUnclaimed, noCalls, putCall } from '../../../src/server/calls/calls';
import { newTurn } from '../../../src/server/calls/turn';
import { callA, callsOf, type Waiting } from '../../support/calls';

const running = (callId: string, order: number) =>
  ({ phase: 'running', call: { ...callA, callId }, order, turn: newTurn }) as const;
const finished = (callId: string) =>
  ({
    phase: 'finished',
    call: { ...callA, callId },
    order: 0,
    buffered: [],
    outcome: { kind: 'rejected', message: '' },
  }) as const;

describe('callsInOrder', () => {
  it('gives the calls as they were begun, whatever their ids', () => {
    const [a, b, c] = [running('z', 0), running('y', 1), running('x', 2)];
    expect(callsInOrder(callsOf(c, a, b))).toEqual([a, b, c]);
    expect(callsInOrder(noCalls())).toEqual([]);
  });
});

describe('putCall', () => {
  it('replaces what was known of the call, and leaves the old state as it was', () => {
    const [before, after] = [running('a', 0), running('a', 5)];
    const state = callsOf(before);
    expect(callOf(putCall<Waiting>(state, after), 'a')).toEqual(after);
    expect(callOf(state, 'a')).toEqual(before);
  });

  it('keeps the thread of the call that was begun last', () => {
    const on = (order: number, threadId?: string) => ({ ...running('a', order), turn: { ...newTurn, threadId } });
    expect(callsOf(on(0, 'old'), { ...on(1, 'new'), call: { ...callA, callId: 'b' } }).newest).toBe('new');
    expect(putCall<Waiting>({ ...callsOf(), begun: 2, newest: 'new' }, on(0, 'old')).newest).toBe('new');
    expect(dropCall(callsOf(on(0, 'old')), 'a').newest).toBe('old');
  });
});

describe('dropCall', () => {
  it('forgets the call, also as one that nobody has claimed', () => {
    const state = keepUnclaimed<Waiting>(callsOf(running('b', 1)), finished('a'));
    expect(dropCall(state, 'a')).toEqual({ ...callsOf(running('b', 1)), unclaimed: [] });
    expect(dropCall(state, 'c')).toEqual(state);
  });
});

describe('keepUnclaimed', () => {
  it('keeps the last hundred', () => {
    const ids = Array.from({ length: 102 }, (_, at) => `call-${at}`);
    const state = ids.reduce((kept, id) => keepUnclaimed<Waiting>(kept, finished(id)), noCalls<Waiting>());
    expect(state.unclaimed).toEqual(ids.slice(2));
    expect(callsInOrder(state)).toHaveLength(100);
  });
});
