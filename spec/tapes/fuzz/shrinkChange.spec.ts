import { map } from 'rxjs';
import type { Change } from '../../../src/tapes/fuzz/fuzzSession';
import { type ShownFault, shrinkChange } from '../../../src/tapes/fuzz/shrinkChange';
import { marbles } from '../../support/marbles';

describe('shrinkChange', () => {
  it(
    'goes on from each smaller value that shows the fault, and tries none twice',
    marbles(({ cold, expectObservable }) => {
      const trials: unknown[] = [];
      const tryChange = ({ params: { n } }: Change) => {
        trials.push(n);
        return cold('-(a|)').pipe(map(() => (Number(n) > 2 ? session(Number(n)) : undefined)));
      };
      const found$ = shrinkChange(start(8), tryChange, 100).pipe(
        map(({ change, now, runs }) => ({ text: change.text, now, runs, trials })),
      );
      expectObservable(found$).toBe('-----(f|)', {
        f: { text: 'n is 3', now: session(3), runs: 6, trials: [0, 4, 2, 3, 1] },
      });
    }),
  );

  it(
    'ends after so many trials, at once without a smaller value, and with an error of a trial',
    marbles(({ cold, expectObservable }) => {
      const found = (n: number, maxRuns: number, trial: string) =>
        shrinkChange(start(n), () => cold(trial).pipe(map(() => session(n))), maxRuns).pipe(map(({ runs }) => runs));
      expectObservable(found(8, 2, '-(a|)')).toBe('-(r|)', { r: 2 });
      expectObservable(found(0, 9, '-(a|)')).toBe('(r|)', { r: 1 });
      expectObservable(found(8, 9, '-#')).toBe('-#');
    }),
  );
});

const session = (n: number) => ({ meta: { n }, entries: [] });

/** A change to a number, which smaller numbers can replace. */
const changeTo = (n: number): Change => ({
  label: 'tools/call a',
  text: `n is ${n}`,
  params: { n },
  smaller: () => (n === 0 ? [] : [0, Math.floor(n / 2), n - 1].map(changeTo)),
});

const start = (n: number): ShownFault => ({ change: changeTo(n), now: session(n), runs: 1 });
