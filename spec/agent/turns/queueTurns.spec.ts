import {
  concat,
  delay,
  EMPTY,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  Subject,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type QueueInput, queueTurns, type TurnPorts } from '../../../src/agent/turns/queueTurns';
import type { Event } from '../../../src/protocol/codex/events';
import type { ThreadOp } from '../../../src/protocol/codex/operations';
import { ofKind } from '../../../src/streams/ofKind';
import { marbles } from '../../support/marbles';
import { aborted, call, close, eventOf, finished, input, joined } from './support';

type Turn = { op: ThreadOp };
const turn = (op: ThreadOp): QueueInput<Turn> => ({ kind: 'turn', turn: { op } });
const interrupt = (callId: string): QueueInput<Turn> => ({ kind: 'interrupt', callId });
/** a, b, c turns; i, j inputs; z closes; x interrupts the thread; 1, 2 cancel a, b; 8 cancels i, 9 nobody. */
const inputs: Record<string, QueueInput<Turn>> = {
  a: turn(call('a')),
  b: turn(call('b')),
  c: turn(call('c')),
  i: turn(input('i')),
  j: turn(input('j')),
  z: turn(close('z')),
  x: { kind: 'interruptThread', op: { kind: 'interruptThread', callId: 'x', thread: { id: 'T' } } },
  1: interrupt('a'),
  2: interrupt('b'),
  8: interrupt('i'),
  9: interrupt('nobody'),
};
/** A, B, C, I, J, Z that one runs; w, v that b, i was withdrawn; K, L that i, j joined a; X that the interrupt is carried out. */
const events: Record<string, Event> = {
  A: eventOf('a'),
  B: eventOf('b'),
  C: eventOf('c'),
  I: eventOf('i'),
  J: eventOf('j'),
  Z: eventOf('z'),
  w: aborted('b'),
  v: aborted('i'),
  K: joined('i', 'a'),
  L: joined('j', 'a'),
  X: finished('x', 'T'),
};

type Run = (callId: string, ports: TurnPorts) => Observable<Event>;
/** A turn emits that it runs and takes four frames. */
const plain: Run = (callId, { stop$ }) =>
  concat(of(eventOf(callId)), timer(4).pipe(ignoreElements(), takeUntil(stop$)));
/** The same, but it takes what is offered to it, two frames later. */
const taking: Run = (callId, ports) =>
  merge(
    plain(callId, ports),
    ports.input$.pipe(
      ofKind('offered'),
      map(({ op }) => joined(op.callId, callId)),
      delay(2),
      takeUntil(timer(4)),
    ),
  );
const queue = (run: Run = plain) =>
  queueTurns<Turn>({
    run: ({ op: { callId } }, ports) => run(callId, ports),
    withdrawn: ({ op: { callId } }) => [aborted(callId)],
    interrupted: ({ callId }) => finished(callId, 'T'),
  });

describe('queueTurns', () => {
  it.each([
    ['runs one turn after another', plain, 'abc|', 'A---B---C---|'],
    ['withdraws one that is cancelled while it waits', plain, 'abc2|', 'A--wC---|'],
    ['stops one that is cancelled while it runs', plain, 'abc1|', 'A--B---C---|'],
    ['passes over calls that are over or never came', plain, 'a9---1--|', 'A-------|'],
    ['waits for its source', plain, 'a', 'A-----'],
    ['runs a turn that comes when nothing runs', plain, 'a------b|', 'A------B---|'],
    ['runs an input where no turn runs', plain, '-i|', '-I---|'],
    ['runs an input that no turn took, in its place', plain, 'aib|', 'A---I---B---|'],
    ['passes over an input that the turn took', taking, 'aib|', 'A--KB---|'],
    ['offers what waits to the turn that begins', taking, 'a--ij|', 'A---I-k-|'],
    ['withdraws an input that is cancelled', plain, 'ai8|', 'A-v-|'],
    ['interrupts nothing where no turn runs', plain, '-x|', '-X|'],
    ['interrupts the turn that runs', plain, 'a-x|', 'A-X|'],
    ['lets turns run that wait behind an interrupt', plain, 'ab-x|', 'A--(XB)|'],
    ['withdraws input by an interrupt', plain, 'aix----|', 'A-(vX)-|'],
    ['closes: stops what runs, withdraws what waits', plain, 'abiz----|', 'A--(wvZ)|'],
  ])('%s', (_, run, given, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = { ...events, k: joined('j', 'i') };
      expectObservable(hot(given, inputs).pipe(queue(run))).toBe(expected, values);
    })(),
  );

  it('passes over thousands that were cancelled while they waited', () => {
    const [input$, first$] = [new Subject<QueueInput<Turn>>(), new Subject<Event>()];
    const out: Event[] = [];
    input$.pipe(queue(() => first$)).subscribe((event) => out.push(event));
    const all = Array.from({ length: 20_000 }, (_, i) => String(i));
    for (const callId of ['first', ...all]) input$.next(turn(call(callId)));
    for (const callId of all) input$.next(interrupt(callId));
    first$.next(eventOf('first'));
    first$.complete();
    expect(out).toEqual([...all.map((callId) => aborted(callId)), eventOf('first')]);
  });

  it(
    'offers inputs to the turn that runs, and reports those that are withdrawn',
    marbles(({ hot, flush }) => {
      const offered: string[] = [];
      const listening: Run = (callId, ports) =>
        merge(
          plain(callId, ports),
          ports.input$.pipe(
            tap((offer) =>
              offered.push(`${callId} ${offer.kind} ${offer.kind === 'offered' ? offer.op.callId : offer.callId}`),
            ),
            ignoreElements(),
            takeUntil(timer(4)),
          ),
        );
      hot('aij8|', inputs).pipe(queue(listening)).subscribe();
      flush();
      expect(offered.slice(0, 3)).toEqual(['a offered i', 'a offered j', 'a withdrawn i']);
    }),
  );

  it(
    'errors with a turn',
    marbles(({ cold, hot, expectObservable }) => {
      const fails: Run = (callId) => (callId === 'b' ? cold<Event>('-#') : EMPTY);
      expectObservable(hot('a-b-c', inputs).pipe(queue(fails))).toBe('---#');
    }),
  );

  it(
    'stops the turn that runs when it is unsubscribed',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const run$ = cold('A-----', events);
      expectObservable(hot('ab', inputs).pipe(queue(() => run$)), '^--!').toBe('A--', events);
      expectSubscriptions(run$.subscriptions).toBe('^--!');
    }),
  );
});
