import { concatMap, of, timer } from 'rxjs';
import { inOpenBatches, openBatch } from '../../../src/streams/batches/openBatch';
import { marbles } from '../../support/marbles';

describe('openBatch', () => {
  it('returns a batch with the item that opens it, and takes more until its sizes reach the limit', () => {
    const { add } = openBatch<string>({ sizeOf: (item) => item.length, limit: 3 });
    const batch = add('a');
    expect([add('b'), add('cc')]).toEqual([undefined, undefined]);
    expect(batch).toEqual(['a', 'b', 'cc']);
    expect(add('d')).toEqual(['d']);
  });

  it('opens another batch where the sizes are the limit exactly', () => {
    const { add } = openBatch<string>({ sizeOf: (item) => item.length, limit: 3 });
    expect([add('a'), add('bb'), add('c')]).toEqual([['a', 'bb'], undefined, ['c']]);
  });

  it('takes no more into a batch that is closed', () => {
    const { add, close } = openBatch<string>({ sizeOf: () => 1, limit: 9 });
    const first = add('a') ?? [];
    close(first);
    const second = add('b') ?? [];
    close(first);
    add('c');
    expect([first, second]).toEqual([['a'], ['b', 'c']]);
  });
});

describe('inOpenBatches', () => {
  it.each([
    ['passes a batch on with its first item; it grows until it is closed', 'ab--c-|', '--A-C-|'],
    ['passes an error on', 'a--#', '--B#'],
    ['is empty as its source is', '---|', '---|'],
  ])('%s', (_, item, expected) =>
    marbles(({ hot, expectObservable }) => {
      const limit = { sizeOf: () => 1, limit: 9 };
      const closedLater = inOpenBatches<string, string>(limit, (close) =>
        concatMap((batch) =>
          timer(batch[0] === 'c' ? 0 : 2).pipe(
            concatMap(() => {
              close(batch);
              return of(batch.join(''));
            }),
          ),
        ),
      );
      expectObservable(hot(item).pipe(closedLater)).toBe(expected, { A: 'ab', B: 'a', C: 'c' });
    })(),
  );
});
