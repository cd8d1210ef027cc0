import { delay, map, type Observable, of, throwError } from 'rxjs';
import { reduceList, type Trial } from '../../../src/tapes/shrink/reduceList';
import { marbles } from '../../support/marbles';

/** Trials take two frames, and fail if all of these items are left. */
const failsWith =
  (...needed: number[]) =>
  (items: readonly number[]): Observable<string | undefined> =>
    of(needed.every((one) => items.includes(one)) ? items.join('') : undefined).pipe(delay(2));

const brief = ({ reduction, runs, result }: Trial<number, string>) => `${reduction.items.join('')} ${runs} ${result}`;
const start = { runs: 1, result: 'whole', maxRuns: 99 };

describe('reduceList', () => {
  it(
    'leaves out items as long as what is left fails',
    marbles(({ expectObservable }) => {
      expectObservable(reduceList([1, 2, 3, 4], start, failsWith(3)).pipe(map(brief))).toBe('a-b-c-d-(e|)', {
        a: '1234 1 whole',
        b: '34 2 34',
        c: '34 3 34',
        d: '3 4 3',
        e: '3 5 3',
      });
    }),
  );

  it(
    'ends after so many trials',
    marbles(({ expectObservable }) => {
      const few = reduceList([1, 2, 3, 4], { ...start, maxRuns: 2 }, failsWith(3));
      expectObservable(few.pipe(map(brief))).toBe('a-(b|)', { a: '1234 1 whole', b: '34 2 34' });
    }),
  );

  it(
    'has nothing to try of no items, and stops what it tries',
    marbles(({ expectObservable }) => {
      expectObservable(reduceList([], start, failsWith()).pipe(map(brief))).toBe('(a|)', { a: ' 1 whole' });
      expectObservable(reduceList([1, 2], start, failsWith(9)).pipe(map(brief)), '---!').toBe('a-b', {
        a: '12 1 whole',
        b: '12 2 whole',
      });
    }),
  );

  it(
    'errors with a trial',
    marbles(({ expectObservable }) => {
      const failed = reduceList([1], start, () => throwError(() => 'no such program'));
      expectObservable(failed.pipe(map(brief))).toBe('(a#)', { a: '1 1 whole' }, 'no such program');
    }),
  );
});
