import { concat, EMPTY, merge, type Observable, of, Subject, takeUntil, timer } from 'rxjs';
import { ignoreElements, map } from 'rxjs/operators';
import type { TurnOp } from '../../src/protocol/codex';
import { type QueueInput, queueTurns } from '../../src/turns/queueTurns';
import { marbles } from '../support/marbles';
import { call } from './support';

type Turn = { op: TurnOp };
const turn = (callId: string): QueueInput<Turn> => ({ kind: 'turn', turn: { op: call(callId) } });
const interrupt = (callId: string): QueueInput<Turn> => ({ kind: 'interrupt', callId });

/** A turn emits its name in capitals and takes four frames. */
const queue = (run?: (callId: string) => Observable<string>) =>
  queueTurns<Turn, string>({
    run: ({ op: { callId } }, cancelled$) =>
      run?.(callId) ?? concat(of(callId.toUpperCase()), timer(4).pipe(ignoreElements(), takeUntil(cancelled$))),
    withdrawn: ({ op: { callId } }) => [`${callId}!`],
  });
const values = { A: 'A', B: 'B', C: 'C', x: 'b!', y: 'c!' };

describe('queueTurns', () => {
  it.each([
    ['runs one turn after another', 'abc|', '----|', 'A---B---C---|'],
    ['withdraws one that is cancelled while it waits', 'abc|', '--b-|', 'A-x-C---|'],
    ['stops one that is cancelled while it runs', 'abc|', '---a|', 'A--B---C---|'],
    ['passes over calls that are over or were never there', 'a|', '-q----a--|', 'A--------|'],
    ['waits for both sources', 'a|', '-', 'A-----'],
    ['runs a turn that comes when nothing runs', 'a------b|', '--------|', 'A------B---|'],
  ])('%s', (_, turns, cancelled, expected) =>
    marbles(({ hot, expectObservable }) => {
      const input$ = merge(hot(turns).pipe(map(turn)), hot(cancelled).pipe(map(interrupt)));
      expectObservable(input$.pipe(queue())).toBe(expected, values);
    })(),
  );

  it('passes over thousands that were cancelled while they waited', () => {
    const [input$, first$] = [new Subject<QueueInput<Turn>>(), new Subject<string>()];
    const out: string[] = [];
    input$.pipe(queue(() => first$)).subscribe((event) => out.push(event));
    const all = Array.from({ length: 20_000 }, (_, i) => String(i));
    for (const callId of ['first', ...all]) input$.next(turn(callId));
    for (const callId of all) input$.next(interrupt(callId));
    first$.next('done');
    first$.complete();
    expect(out).toEqual([...all.map((callId) => `${callId}!`), 'done']);
  });

  it(
    'errors with a turn',
    marbles(({ cold, hot, expectObservable }) => {
      const fails = (callId: string) => (callId === 'b' ? cold<string>('-#') : EMPTY);
      expectObservable(hot('a-b-c').pipe(map(turn), queue(fails))).toBe('---#');
    }),
  );

  it(
    'stops the turn that runs when it is unsubscribed',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const run$ = cold('A-----');
      const queued$ = hot('ab').pipe(
        map(turn),
        queue(() => run$),
      );
      expectObservable(queued$, '^--!').toBe('A--', values);
      expectSubscriptions(run$.subscriptions).toBe('^--!');
    }),
  );
});
