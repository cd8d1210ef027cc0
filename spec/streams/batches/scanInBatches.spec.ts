import { map, of, timer } from 'rxjs';
import { scanInBatches } from '../../../src/streams/batches/scanInBatches';
import { marbles } from '../../support/marbles';

/** The state is all that came; a batch takes three frames. */
const joined = (limit: number) =>
  scanInBatches<string, string>(
    { sizeOf: (item) => item.length, limit },
    (state, batch) => timer(3).pipe(map(() => `${state}.${batch.join('')}`)),
    '',
  );
const values = { A: '.a', X: '.a.bc', D: '.a.bc.d', B: '.a.b', C: '.a.b.c' };

describe('scanInBatches', () => {
  it.each([
    ['begins each batch with the state of the one before', 9, 'abc-----d--', '---A--X----D'],
    ['begins another batch when one is full', 1, 'abc|', '---A--B--(C|)'],
    ['completes with the source where nothing runs', 9, '--|', '--|'],
    ['passes an error on', 9, 'ab--#', '---A#'],
  ])('%s', (_, limit, item, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(item).pipe(joined(limit))).toBe(expected, values);
    })(),
  );

  it(
    'emits each state of a batch, and takes the last to the next',
    marbles(({ expectObservable }) => {
      const state$ = of('a', 'b').pipe(
        scanInBatches({ sizeOf: () => 1, limit: 9 }, (state, [x]) => of(`${state}${x}`, `${state}${x}!`), ''),
      );
      expectObservable(state$).toBe('(ijkl|)', { i: 'a', j: 'a!', k: 'a!b', l: 'a!b!' });
    }),
  );

  it(
    'errors with what the step throws, begins anew for each subscriber, and ends what runs',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const broken = scanInBatches<string, string>(
        { sizeOf: () => 1, limit: 9 },
        () => {
          throw 'error';
        },
        '',
      );
      expectObservable(cold('-a').pipe(broken)).toBe('-#');
      const twice$ = cold('a|').pipe(joined(9));
      expectObservable(twice$).toBe('---(A|)', values);
      expectObservable(twice$, '----^').toBe('-------(A|)', values);
      const work$ = cold<string>('---x');
      expectObservable(hot('-ab').pipe(scanInBatches({ sizeOf: () => 1, limit: 9 }, () => work$, '')), '---!').toBe(
        '----',
      );
      expectSubscriptions(work$.subscriptions).toBe('-^-!');
    }),
  );
});
