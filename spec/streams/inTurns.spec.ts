import { take } from 'rxjs';
import { inTurns } from '../../src/streams/inTurns';
import { marbles } from '../support/marbles';

/** A walk that notes how far it came. */
function* walk(count: number, seen: number[] = [], fault?: Error): Generator<number> {
  for (let n = 1; n <= count; n += 1) {
    seen.push(n);
    yield n;
  }
  if (fault !== undefined) throw fault;
}

const all = { e: [], A: [1, 2], B: [3, 4], C: [5], d: [1] };

describe('inTurns', () => {
  it.each([
    ['nothing', 0, '(e|)'],
    ['less than a batch', 1, '(d|)'],
    ['one batch', 2, '(A|)'],
    ['batches, the last of them smaller', 5, '(ABC|)'],
  ])('emits a walk that finds %s', (_, count, expected) =>
    marbles(({ expectObservable }) => {
      expectObservable(inTurns(walk(count), 2)).toBe(expected, all);
    })(),
  );

  it(
    'errors with what the walk throws, at once or later',
    marbles(({ expectObservable }) => {
      const fault = new Error('unreadable');
      expectObservable(inTurns(walk(1, [], fault), 2)).toBe('#', all, fault);
      expectObservable(inTurns(walk(3, [], fault), 2)).toBe('(A#)', all, fault);
    }),
  );

  it(
    'waits for a slow reader',
    marbles(({ hot, expectObservable }) => {
      const reader = { isFull: () => true, drain$: hot('--d--d-d') };
      expectObservable(inTurns(walk(5), 2, reader)).toBe('A-B--C-|', all);
    }),
  );

  it(
    'takes one batch in each turn of the event loop, and none after unsubscription',
    marbles(({ flush, expectObservable }) => {
      const [seen, ended]: [number[], number[]] = [[], []];
      inTurns(walk(5, seen), 2).subscribe();
      expect(seen).toEqual([1, 2]);
      flush();
      expect(seen).toEqual([1, 2, 3, 4, 5]);
      expectObservable(inTurns(walk(5, ended), 2).pipe(take(1))).toBe('(A|)', all);
      flush();
      expect(ended).toEqual([1, 2]);
    }),
  );
});
