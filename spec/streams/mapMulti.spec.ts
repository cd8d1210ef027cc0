import { map, take } from 'rxjs';
import { mapMulti } from '../../src/streams/mapMulti';
import { marbles } from '../support/marbles';

/** a emits x and y, b nothing, c z; d fails after x. */
const project = (item: string, emit: (value: string) => void): void => {
  for (const value of { a: 'xy', c: 'z', d: 'x' }[item] ?? '') emit(value);
  if (item === 'd') throw 'error';
};

describe('mapMulti', () => {
  it(
    'emits what each item gives, at once and in order',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('  -a---b-c-|');
      const expected = '   -(xy)--z-|';
      expectObservable(item$.pipe(mapMulti(project))).toBe(expected);
    }),
  );

  it(
    'is never, empty and failing as its source is',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold<string>('---').pipe(mapMulti(project))).toBe('---');
      expectObservable(cold<string>('--|').pipe(mapMulti(project))).toBe('--|');
      expectObservable(hot('-c-#').pipe(mapMulti(project))).toBe('-z-#');
    }),
  );

  it(
    'errors with what the callback throws, after what it emitted',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-d-c-|');
      expectObservable(item$.pipe(mapMulti(project))).toBe('-z-(x#)');
      expectSubscriptions(item$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'stops when nobody listens, within an item too',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-c');
      expectObservable(item$.pipe(mapMulti(project)), '--!').toBe('-z');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      const first$ = hot('-a-a');
      expectObservable(first$.pipe(mapMulti(project), take(1))).toBe('-(x|)');
      expectSubscriptions(first$.subscriptions).toBe('^!');
    }),
  );

  it(
    'passes on what a later operator throws',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-c');
      const fail = () => {
        throw 'error';
      };
      expectObservable(item$.pipe(mapMulti(project), map(fail))).toBe('-#');
      expectSubscriptions(item$.subscriptions).toBe('^!');
    }),
  );
});
