import { from, map, of, Subject, timer } from 'rxjs';
import { inBatches, scanInBatches } from '../../src/streams/batches';
import { marbles } from '../support/marbles';

/** A batch takes three frames, and is emitted as one text. */
const gathered = (limit: number, takesMs = 3) =>
  inBatches<string, string>({ sizeOf: (item) => item.length, limit }, (batch) =>
    timer(takesMs).pipe(map(() => batch.join(''))),
  );

const values = { A: 'a', B: 'b', C: 'c', D: 'd', X: 'bc', Y: 'de' };

describe('inBatches', () => {
  it.each([
    ['runs one item at once, and together what comes meanwhile', 9, 'abc-----d--', '---A--X----D'],
    ['begins another batch when one is full', 2, 'abcde', '---A--X--Y'],
    ['lets one item make a batch that is greater than the limit', 0, 'abc', '---A--B--C'],
    ['completes after the last batch', 9, 'abc|', '---A--(X|)'],
    ['completes at once when nothing runs', 9, 'a----|', '---A-|'],
    ['passes an error on', 9, 'ab--#', '---A#'],
  ])('%s', (_, limit, item, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(item).pipe(gathered(limit))).toBe(expected, values);
    })(),
  );

  it(
    'lets go of the batch that runs',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const work$ = cold<string>('---x');
      const in$ = hot('-ab');
      const op = inBatches<string, string>({ sizeOf: () => 1, limit: 9 }, () => work$);
      expectObservable(in$.pipe(op), '---!').toBe('----');
      expectSubscriptions(work$.subscriptions).toBe('-^-!');
    }),
  );

  it('takes thousands of batches that waited, and are then done at once', () => {
    const out: number[] = [];
    const first$ = new Subject<number>();
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    from(all)
      .pipe(inBatches({ sizeOf: () => 1, limit: 1 }, ([i]) => (i === 0 ? first$ : of(i as number))))
      .subscribe((i) => out.push(i));
    first$.next(0);
    first$.complete();
    expect(out).toEqual(all);
  });

  it('takes thousands of items that are done at once', () => {
    const out: number[] = [];
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    from(all)
      .pipe(inBatches({ sizeOf: () => 1, limit: 1 }, (batch) => from(batch)))
      .subscribe((i) => out.push(i));
    expect(out).toEqual(all);
  });
});

describe('scanInBatches', () => {
  /** The state is all that came; a batch takes three frames. */
  const joined = (limit: number) =>
    scanInBatches<string, string>(
      { sizeOf: (item) => item.length, limit },
      (state, batch) => timer(3).pipe(map(() => `${state}.${batch.join('')}`)),
      '',
    );
  const values = { A: '.a', X: '.a.bc', D: '.a.bc.d', B: '.a.b', C: '.a.b.c' };

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
    'errors with what the step throws, begins again for each subscriber, and ends what runs',
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
