import { of, Subject, take } from 'rxjs';
import { demultiplex } from '../../src/streams/demultiplex';
import { marbles } from '../support/marbles';

const keyOf = (item: string) => item.toLowerCase();

describe('demultiplex', () => {
  it.each([
    ['never', '-', '-', '-'],
    ['empty', '|', '|', '|'],
    ['one', '-a-|', '-a-|', '---|'],
    ['many', '-a-b-A-c-|', '-a---A---|', '---b-----|'],
    ['an error', '-a-b-#', '-a---#', '---b-#'],
  ])('offers each item to those that wait for its key: %s', (_, source, ofA, ofB) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot(source);
      const itemsOf = demultiplex(keyOf)(source$);
      expectObservable(itemsOf('a')).toBe(ofA);
      expectObservable(itemsOf('a')).toBe(ofA);
      expectObservable(itemsOf('b')).toBe(ofB);
      const end = source.search(/[|#]/);
      expectSubscriptions(source$.subscriptions).toBe(end < 0 ? '^' : end === 0 ? '(^!)' : `^${'-'.repeat(end - 1)}!`);
    })(),
  );

  it(
    'leaves the source with the last of them, and takes it again',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-a-b-a-b-a-');
      const itemsOf = demultiplex((item: string) => item)(source$);
      expectObservable(itemsOf('a').pipe(take(1))).toBe(' -(a|)');
      expectObservable(itemsOf('b'), '------!').toBe('     ---b---');
      expectObservable(itemsOf('a'), '-------^').toBe('    ---------a-');
      expectSubscriptions(source$.subscriptions).toBe(['^-----!', '-------^']);
    }),
  );

  it('errors where the key cannot be had', () => {
    const itemsOf = demultiplex(() => {
      throw new Error('no key');
    })(of(1));
    let caught: unknown;
    itemsOf(undefined as never).subscribe({
      error: (error) => {
        caught = error;
      },
    });
    expect(caught).toEqual(new Error('no key'));
  });

  it('asks for the key of an item once, however many wait', () => {
    let asked = 0;
    const source$ = new Subject<number>();
    const itemsOf = demultiplex((item: number) => {
      asked += 1;
      return item;
    })(source$);
    const got: number[] = [];
    for (let key = 0; key < 1_000; key += 1) itemsOf(key).subscribe((item) => got.push(item));
    for (let key = 0; key < 1_000; key += 1) source$.next(key);
    expect([asked, got.length]).toEqual([1_000, 1_000]);
  });
});
