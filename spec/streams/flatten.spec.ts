import { EMPTY, NEVER } from 'rxjs';
import { flatten } from '../../src/streams';
import { marbles } from '../support/marbles';

const values: Record<string, number[]> = { a: [1, 2], b: [], c: [3] };
const flat = { 1: 1, 2: 2, 3: 3 };

describe('flatten', () => {
  it(
    'emits the members of each array at once, in order',
    marbles(({ hot, expectObservable }) => {
      const array$ = hot('  a---b-c-|', values);
      const expected = '    (12)--3-|';
      expectObservable(array$.pipe(flatten())).toBe(expected, flat);
    }),
  );

  it(
    'ends, errors and waits with its source',
    marbles(({ cold, expectObservable }) => {
      expectObservable(EMPTY.pipe(flatten())).toBe('|');
      expectObservable(NEVER.pipe(flatten())).toBe('-');
      expectObservable(cold<number[]>('--#').pipe(flatten())).toBe('--#');
    }),
  );

  it(
    'leaves its source when it is left',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const array$ = hot('  a---b-c-|', values);
      expectObservable(array$.pipe(flatten()), '--!').toBe('(12)', flat);
      expectSubscriptions(array$.subscriptions).toBe('^-!');
    }),
  );
});
