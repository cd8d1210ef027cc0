import { concat, ignoreElements, map, merge, NEVER, of, Subject, takeUntil, timer } from 'rxjs';
import { noThreadText, rejection } from '../../../src/agent/turns/rejection';
import { type Routed, routeTurns, type TurnRouting } from '../../../src/agent/turns/runThreads';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op, ThreadOp } from '../../../src/protocol/codex/operations';
import { marbles } from '../../support/marbles';
import { clockMs } from '../../support/timeOfDay';
import { aborted, call, cancel, done, finished, rejected } from './support';

type Turn = { op: ThreadOp };
/** Calls a and c on one thread, b on another, n on none; x cancels a, y cancels c, q cancels nothing. */
const op: Record<string, Op> = {
  a: call('a', { id: '1' }),
  b: call('b', { id: '2' }),
  c: call('c', { id: '1' }),
  n: call('n', { newest: true }),
  x: cancel('a'),
  y: cancel('c'),
  q: cancel('nobody'),
  i: { kind: 'interruptThread', callId: 'i', thread: { id: '1' } },
  j: { kind: 'interruptThread', callId: 'j', thread: { newest: true } },
};
const events: Record<string, Event> = {
  a: done('a'),
  b: done('b'),
  c: done('c'),
  n: rejected('n', 'no thread'),
  x: aborted('a'),
  y: aborted('c'),
  I: finished('i', '1'),
  J: rejected('j', noThreadText({ newest: true })),
};

const route = (turnOp: ThreadOp): Routed<Turn> =>
  'id' in turnOp.thread ? { kind: 'turn', turn: { op: turnOp } } : rejection(turnOp, 'no thread');
const threadOf = ({ op: { thread } }: Turn) => 'id' in thread && thread.id;

/** A turn takes three frames. */
const routing: TurnRouting<Turn, unknown> = {
  route,
  find: (ref) => ('id' in ref ? ref.id : undefined),
  idOf: String,
  threadOf,
  run: ({ op: { callId } }, { stop$: cancelled$ }) =>
    merge(
      concat(timer(3).pipe(ignoreElements()), of(done(callId))).pipe(takeUntil(cancelled$)),
      cancelled$.pipe(
        map(() => aborted(callId)),
        takeUntil(timer(3)),
      ),
    ),
  withdrawn: ({ op: { callId } }) => [aborted(callId)],
};
const engine = routeTurns(routing);

describe('routeTurns', () => {
  it.each([
    ['runs threads side by side, the turns of one after another', 'abc---|', '---ab-(c|)'],
    ['rejects at once what cannot begin', 'n-|', 'n-|'],
    ['stops a turn that is cancelled', 'a-x|', '--x(|)'],
    ['withdraws a turn that is cancelled while it waits', 'acy|', '--y(a|)'],
    ['passes over a cancelled call that is not open', 'qa---xqx|', '----a---|'],
    ['interrupts the thread that is named', 'a-i|', '--x(I|)'],
    ['rejects an interrupt of no thread', 'j|', 'J|'],
    ['is empty as its source is', '-|', '-|'],
    ['never ends as its source never does', '---', '---'],
  ])('%s', (_, ops, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(ops, op).pipe(engine)).toBe(expected, events);
    })(),
  );

  it(
    'errors with its source',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-#', op).pipe(engine)).toBe('-#');
    }),
  );

  it(
    'releases a thread some time after its last call, and runs it again with the next',
    marbles(({ hot, expectObservable }) => {
      const released$ = new Subject<string>();
      const unused = { afterMs: 2, most: 9, clockMs, release: (thread: unknown) => released$.next(`${thread}`) };
      expectObservable(released$).toBe('                            -----1-2---1');
      expectObservable(
        hot('                                        a-b---c---', op).pipe(routeTurns({ ...routing, unused })),
      ).toBe('---a-b---c', events);
    }),
  );

  /** How often operations are looked at by an engine that has so many threads. */
  const looks = (threads: number): number => {
    let count = 0;
    const watched = (plain: Op): Op =>
      new Proxy(plain, {
        get: (target, name) => {
          count += 1;
          return Reflect.get(target, name);
        },
      });
    const op$ = new Subject<Op>();
    const run = () => NEVER; // every thread has a turn, so every queue listens for its own
    const withdrawn = () => [];
    const find = () => undefined;
    op$.pipe(routeTurns<Turn, unknown>({ route, threadOf, find, idOf: String, run, withdrawn })).subscribe();
    for (let i = 0; i < threads; i++) op$.next(call(`${i}`, { id: `${i}` }));
    op$.next(watched(call('reply', { id: '0' })));
    op$.next(watched(cancel('reply')));
    op$.next(watched(cancel('nobody')));
    return count;
  };

  it('looks at an operation equally often however many threads there are', () => {
    expect(looks(1_000)).toBe(looks(1));
  });
});
