import { EMPTY, of } from 'rxjs';
import { followedBy } from '../../src/streams/followedBy';
import { marbles } from '../support/marbles';

const join = (all: string, one: string) => all + one;
const last = followedBy(join, '', (all: string) => of(`(${all})`));

describe('followedBy', () => {
  it(
    'passes the source, then what follows from its sum',
    marbles(({ hot, cold, flush, expectObservable, expectSubscriptions }) => {
      const item$ = hot('  -a-b-|       ');
      const next$ = cold('      -c-d-|  ');
      const expected = '   -a-b--c-d-|  ';
      const sums: string[] = [];
      const next = (sum: string) => {
        sums.push(sum);
        return next$;
      };
      expectObservable(item$.pipe(followedBy(join, '', next))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe('^----!');
      expectSubscriptions(next$.subscriptions).toBe('-----^----!');
      flush();
      expect(sums).toEqual(['ab']);
    }),
  );

  it(
    'emits the last value in the instant of the end, and for an empty source too',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b|').pipe(last)).toBe('a-b(S|)', { a: 'a', b: 'b', S: '(ab)' });
      expectObservable(cold<string>('--|').pipe(last)).toBe('--(S|)', { S: '()' });
      expectObservable(of('a', 'b').pipe(last)).toBe('(abS|)', { a: 'a', b: 'b', S: '(ab)' });
      expectObservable(cold('a-b|').pipe(followedBy(join, '', () => EMPTY))).toBe('a-b|');
    }),
  );

  it(
    'emits nothing after an error, nor for a source that never ends',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-a-#').pipe(last)).toBe('-a-#');
      expectObservable(cold<string>('---').pipe(last)).toBe('---');
    }),
  );

  it(
    'errors with what follows, and with what its functions throw',
    marbles(({ cold, expectObservable }) => {
      const fail = () => {
        throw 'error';
      };
      const broken$ = cold<string>('-#');
      expectObservable(cold('-a|').pipe(followedBy(join, '', () => broken$))).toBe('-a-#');
      expectObservable(cold('-a|').pipe(followedBy(join, '', fail))).toBe('-a#');
      expectObservable(cold('-a|').pipe(followedBy<string, string>(fail, '', of))).toBe('-(a#)');
    }),
  );

  it(
    'stops when nobody listens, in the source and in what follows',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const item$ = hot('  -a-b-|');
      expectObservable(item$.pipe(last), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      const next$ = cold<string>('----|');
      expectObservable(cold<string>('-|').pipe(followedBy(join, '', () => next$)), '---!').toBe('---');
      expectSubscriptions(next$.subscriptions).toBe('-^-!');
    }),
  );
});
