import { take } from 'rxjs';
import { mapMany } from '../../src/streams/mapMany';
import { marbles } from '../support/marbles';

const some: Record<string, string[]> = { a: ['x', 'y'], b: [], c: ['z'] };
const listOf = (item: string): string[] => {
  if (item === 'e') throw 'error';
  return some[item] ?? [];
};

describe('mapMany', () => {
  it(
    'emits the members of the list of each item at once and in order',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('   -a---b-c-|');
      const expected = '    -(xy)--z-|';
      expectObservable(item$.pipe(mapMany(listOf))).toBe(expected);
    }),
  );

  it(
    'is never, empty and failing as its source is',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold('---').pipe(mapMany(listOf))).toBe('---');
      expectObservable(cold('--|').pipe(mapMany(listOf))).toBe('--|');
      expectObservable(hot('-c-#').pipe(mapMany(listOf))).toBe('-z-#');
    }),
  );

  it(
    'errors with what makes the list, and unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-e-c');
      expectObservable(item$.pipe(mapMany(listOf))).toBe('-z-#');
      expectSubscriptions(item$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'stops when nobody listens, within a list too',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-c');
      expectObservable(item$.pipe(mapMany(listOf)), '--!').toBe('-z');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      const first$ = hot('-a-a');
      expectObservable(first$.pipe(mapMany(listOf), take(1))).toBe('-(x|)');
      expectSubscriptions(first$.subscriptions).toBe('^!');
    }),
  );
});
