import { withResource } from '../../src/streams/withResource';
import { marbles } from '../support/marbles';

describe('withResource', () => {
  it(
    'completes with what was made of the resource, and lets go of it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('--r-------');
      const used = cold('    -a-b-|');
      const expected = '   ---a-b-|';
      expectObservable(source.pipe(withResource(() => used))).toBe(expected);
      expectSubscriptions(source.subscriptions).toBe('^------!');
    }),
  );

  it(
    'gives the resource, and takes another in its place',
    marbles(({ cold, expectObservable }) => {
      const source = cold('r---s----');
      const uses: Record<string, string> = { r: '-a-b-c-|', s: '-d|' };
      const expected = '   -a-b-d|';
      expectObservable(source.pipe(withResource((name: string) => cold(uses[name] ?? '')))).toBe(expected);
    }),
  );

  it(
    'errors with the source and with the use, and completes with a source without a resource',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('r--#').pipe(withResource(() => cold('-a')))).toBe('-a-#');
      expectObservable(cold('r---').pipe(withResource(() => cold('-a#')))).toBe('-a#');
      expectObservable(cold('--|').pipe(withResource(() => cold('-a')))).toBe('--|');
    }),
  );

  it(
    'unsubscribes from both',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('r---');
      const used = cold('-a-b');
      expectObservable(source.pipe(withResource(() => used)), '--!').toBe('-a');
      expectSubscriptions(source.subscriptions).toBe('^-!');
      expectSubscriptions(used.subscriptions).toBe('^-!');
    }),
  );
});
