import { noBackpressure } from '../../../src/streams/backpressure/backpressure';
import { joinBackpressure } from '../../../src/streams/backpressure/joinBackpressure';
import { marbles } from '../../support/marbles';

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
