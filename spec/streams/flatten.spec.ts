import { map, take } from 'rxjs';
import { flatten } from '../../src/streams/flatten';
import { marbles } from '../support/marbles';

const some: Record<string, string[]> = { a: ['x', 'y'], b: [], c: ['z'] };

describe('flatten', () => {
  it(
    'emits the members of each array at once and in order',
    marbles(({ hot, expectObservable }) => {
      const array$ = hot('  -a---b-c-|', some);
      const expected = '    -(xy)--z-|';
      expectObservable(array$.pipe(flatten())).toBe(expected);
    }),
  );

  it(
    'is never, empty and failing as its source is',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold<string[]>('---').pipe(flatten())).toBe('---');
      expectObservable(cold<string[]>('--|').pipe(flatten())).toBe('--|');
      expectObservable(hot('-c-#', some).pipe(flatten())).toBe('-z-#');
    }),
  );

  it(
    'stops when nobody listens, within an array too',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const array$ = hot('-c-c', some);
      expectObservable(array$.pipe(flatten()), '--!').toBe('-z');
      expectSubscriptions(array$.subscriptions).toBe('^-!');
      const first$ = hot('-a-a', some);
      expectObservable(first$.pipe(flatten(), take(1))).toBe('-(x|)');
      expectSubscriptions(first$.subscriptions).toBe('^!');
    }),
  );

  it(
    'passes on what a later operator throws',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const array$ = hot('-a-c', some);
      const fail = () => {
        throw 'error';
      };
      expectObservable(array$.pipe(flatten(), map(fail))).toBe('-#');
      expectSubscriptions(array$.subscriptions).toBe('^!');
    }),
  );
});
