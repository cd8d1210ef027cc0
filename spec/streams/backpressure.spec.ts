import { map } from 'rxjs';
import {
  type Backpressure,
  joinBackpressure,
  noBackpressure,
  switchableBackpressure,
} from '../../src/streams/backpressure';
import { marbles } from '../support/marbles';

describe('noBackpressure', () => {
  it(
    'never asks anyone to wait',
    marbles(({ expectObservable }) => {
      expect(noBackpressure.isFull()).toBe(false);
      expectObservable(noBackpressure.drain$).toBe('|');
    }),
  );
});

describe('joinBackpressure', () => {
  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('is full while either is: %j and %j', (first, second, full) => {
    const of = (isFull: boolean) => ({ ...noBackpressure, isFull: () => isFull });
    expect(joinBackpressure(of(first), of(second)).isFull()).toBe(full);
  });

  it(
    'drains when neither is full any more',
    marbles(({ hot, expectObservable }) => {
      const full = { first: true, second: true };
      const queue = (name: keyof typeof full, marble: string) => {
        const drain$ = hot(marble);
        drain$.subscribe(() => {
          full[name] = false;
        });
        return { isFull: () => full[name], drain$ };
      };
      const joined = joinBackpressure(queue('first', '-d--d-'), queue('second', '--d---'));
      expectObservable(joined.drain$).toBe('          --d-d-', { d: 'd' });
    }),
  );

  it(
    'does not drain with the second queue while the first is full',
    marbles(({ hot, expectObservable }) => {
      const first = { isFull: () => true, drain$: hot('----') };
      const second = { isFull: () => false, drain$: hot('-d--') };
      expectObservable(joinBackpressure(first, second).drain$).toBe('----');
    }),
  );
});

describe('switchableBackpressure', () => {
  it(
    'is that of the queue it was last turned to; a turn counts as a drain',
    marbles(({ hot, cold, expectObservable }) => {
      const backpressure = switchableBackpressure();
      const queues: Record<string, Backpressure> = {
        a: { isFull: () => true, drain$: hot('---d---d-') },
        b: { isFull: () => false, drain$: hot('-d----d--') },
      };
      const turn$ = cold('-a---b--', queues);
      const drained = '   -d-d-dd-';
      turn$.subscribe((queue) => backpressure.switchTo(queue));
      expectObservable(backpressure.drain$.pipe(map(() => 'd'))).toBe(drained);
    }),
  );

  it('looks at the queue it was turned to', () => {
    const backpressure = switchableBackpressure();
    expect(backpressure.isFull()).toBe(false);
    backpressure.switchTo({ isFull: () => true, drain$: backpressure.drain$ });
    expect(backpressure.isFull()).toBe(true);
  });
});
