import { alongside, withResource } from '../../src/streams/withResource';
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

describe('alongside', () => {
  it.each([
    ['lets the work go at the end of the source', ' -a-b-|', '--------', '-a-b-|', '^----!', '^----!'],
    ['goes on when the work is done', '             -a-b-|', '--|', '     -a-b-|', '^----!', '^-!'],
    ['errors with the work', '                      -a-b-|', '--#', '     -a#', '   ^-!', '   ^-!'],
    ['errors with the source', '                    -a#', '   ------', '  -a#', '   ^-!', '   ^-!'],
    ['ends where the work fails at once', '-a-|', '#', '#', '(^!)', '(^!)'],
  ])('%s', (_, source, work, expected, subscribed, workSubscribed) =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      const work$ = cold<never>(work);
      expectObservable(item$.pipe(alongside(work$))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
      expectSubscriptions(work$.subscriptions).toBe(workSubscribed);
    })(),
  );

  it(
    'lets both go when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-|');
      const work$ = cold<never>('------');
      expectObservable(item$.pipe(alongside(work$)), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      expectSubscriptions(work$.subscriptions).toBe('^-!');
    }),
  );
});
