import { EMPTY, NEVER, of } from 'rxjs';
import { mergeInGroups } from '../../src/streams/mergeInGroups';
import { marbles } from '../support/marbles';

describe('mergeInGroups', () => {
  it(
    'merges all streams as they come, within a group and across groups',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const streams = { a: cold('---x----y|'), b: cold('--z|'), c: cold('-u|') };
      const item$ = hot(' a-b-c|');
      const expected = '  ---xzu--y|';
      const merged$ = item$.pipe(mergeInGroups((item: string) => streams[item as 'a' | 'b' | 'c'], 2));
      expectObservable(merged$).toBe(expected);
      expectSubscriptions(streams.a.subscriptions).toBe('^--------!');
      expectSubscriptions(streams.b.subscriptions).toBe('--^--!');
      expectSubscriptions(streams.c.subscriptions).toBe('----^-!');
    }),
  );

  it(
    'emits at once what takes no time, in order',
    marbles(({ cold, expectObservable }) => {
      const item$ = cold(' (abc)---(d|)');
      const expected = '   (axbxcx)(dx|)';
      expectObservable(item$.pipe(mergeInGroups((item: string) => of(item, 'x'), 2))).toBe(expected);
    }),
  );

  it(
    'is never, empty and failing as its source is, and completes after the last stream',
    marbles(({ cold, hot, expectObservable }) => {
      const same = mergeInGroups((item: string) => of(item), 2);
      expectObservable(cold<string>('---').pipe(same)).toBe('---');
      expectObservable(cold<string>('--|').pipe(same)).toBe('--|');
      expectObservable(hot('-a-#').pipe(same)).toBe('-a-#');
      expectObservable(hot('-a-|').pipe(mergeInGroups(() => EMPTY, 2))).toBe('---|');
      expectObservable(hot('-a-|').pipe(mergeInGroups(() => NEVER, 2))).toBe('----');
    }),
  );

  it(
    'errors with a stream, and with what the callback throws, and leaves the others',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const streams = { a: cold('-------'), b: cold('--#') };
      const item$ = hot('a-b---c');
      expectObservable(item$.pipe(mergeInGroups((item: string) => streams[item as 'a' | 'b'], 1))).toBe('----#');
      expectSubscriptions(streams.a.subscriptions).toBe('^---!');
      expectSubscriptions(item$.subscriptions).toBe('^---!');
      const fail = () => {
        throw 'error';
      };
      expectObservable(hot('-a-').pipe(mergeInGroups(fail))).toBe('-#');
    }),
  );

  it(
    'leaves all streams when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const inner$ = cold('---x');
      expectObservable(hot('a').pipe(mergeInGroups(() => inner$, 2)), '--!').toBe('---');
      expectSubscriptions(inner$.subscriptions).toBe('^-!');
    }),
  );
});
