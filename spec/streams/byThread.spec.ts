import { concat, concatMap, ignoreElements, map, merge, of, timer } from 'rxjs';
import type { Event, Op, TurnOp } from '../../src/protocol/codex';
import { byThread } from '../../src/streams';
import { marbles } from '../support/marbles';

const turn = (callId: string, id: string): Op => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread: { id },
  prompt: '',
  askable: false,
});
const refused = (callId: string) => ({ kind: 'rejected' as const, callId, message: '' });
const event = (callId: string): Event => refused(callId);

/** Calls a and c on one thread, b on another, n on none; x takes a back. */
const op: Record<string, Op> = {
  a: turn('a', '1'),
  b: turn('b', '2'),
  c: turn('c', '1'),
  n: turn('n', ''),
  x: { kind: 'interrupt', callId: 'a' },
};
const told = Object.fromEntries(['a', 'b', 'c', 'n', 'x'].map((id) => [id, event(id)]));

/** A turn takes three frames; what is taken back is told as x. */
const engine = byThread<TurnOp>({
  address: (call) => ('id' in call.thread && call.thread.id ? { kind: 'wanted', turn: call } : refused('n')),
  threadOf: ({ thread }) => 'id' in thread && thread.id,
  run: (cancelled$) => (turn$) =>
    merge(
      turn$.pipe(concatMap(({ callId }) => concat(timer(3).pipe(ignoreElements()), of(event(callId))))),
      cancelled$.pipe(map(() => event('x'))),
    ),
});

describe('byThread', () => {
  it.each([
    ['runs threads side by side, turns of one thread as that has it', 'abc---|', '---ab-(c|)'],
    ['tells at once what cannot begin', 'n-|', 'n-|'],
    ['tells threads what is taken back', 'a-x|', '--x(a|)'],
    ['is empty as its source is', '-|', '-|'],
  ])('%s', (_, said, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(said, op).pipe(engine)).toBe(expected, told);
    })(),
  );
});
