import { withoutByteOrderMark } from '../../../src/streams/bytes/withoutByteOrderMark';
import { marbles } from '../../support/marbles';

const all = { B: '\ufeffb', b: 'b', a: 'a', e: '\ufeff', o: '' };

describe('withoutByteOrderMark', () => {
  it(
    'leaves out a byte order mark at the very beginning, and no other',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot(' -B-a-B-|', all);
      const expected = '  -b-a-B-|';
      expectObservable(text$.pipe(withoutByteOrderMark())).toBe(expected, all);
    }),
  );

  it(
    'passes text without one, and what comes after one that is alone',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-B-|', all).pipe(withoutByteOrderMark())).toBe('a-B-|', all);
      expectObservable(cold('e-a-|', all).pipe(withoutByteOrderMark())).toBe('o-a-|', all);
    }),
  );

  it(
    'is never, empty and failing as its source is, and stops with it',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<string>('---').pipe(withoutByteOrderMark())).toBe('---');
      expectObservable(cold<string>('--|').pipe(withoutByteOrderMark())).toBe('--|');
      expectObservable(cold('-a-#', all).pipe(withoutByteOrderMark())).toBe('-a-#', all);
      const text$ = hot('a-b-c-|', all);
      expectObservable(text$.pipe(withoutByteOrderMark()), '---!').toBe('a-b', all);
      expectSubscriptions(text$.subscriptions).toBe('^--!');
    }),
  );
});
