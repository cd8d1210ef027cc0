import { map } from 'rxjs';
import { byKind, ofKind } from '../../src/streams/ofKind';
import { marbles } from '../support/marbles';

type Item = { kind: 'a'; of: number } | { kind: 'b'; word: string } | { kind: 'c' };
const item: Record<string, Item> = { a: { kind: 'a', of: 7 }, b: { kind: 'b', word: 'x' }, c: { kind: 'c' } };

describe('ofKind', () => {
  it(
    'passes what has the kind, with the fields of that kind',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('  -a-b-c-(ab)-|', item);
      const expected = '   -A-----A----|';
      expectObservable(item$.pipe(ofKind('a'))).toBe(expected, { A: item.a });
      const words = '      ---B---B----|';
      const word$ = item$.pipe(
        ofKind('b'),
        map(({ word }) => word),
      );
      expectObservable(word$).toBe(words, { B: 'x' });
    }),
  );

  it(
    'is never, empty and failing as its source is, and stops when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<Item>('---').pipe(ofKind('a'))).toBe('---');
      expectObservable(cold<Item>('--|').pipe(ofKind('a'))).toBe('--|');
      expectObservable(hot('-b-#', item).pipe(ofKind('a'))).toBe('---#');
      const item$ = hot('-a-a', item);
      expectObservable(item$.pipe(ofKind('a')), '--!').toBe('-A', { A: item.a });
      expectSubscriptions(item$.subscriptions).toBe('^-!');
    }),
  );
});

describe('byKind', () => {
  it(
    'parts a stream in the order asked for, and drops what was not asked for',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('  -a-b-c-(ab)-|', item);
      const expectedB = '  ---B---B----|';
      const expectedA = '  -A-----A----|';
      const [b$, a$] = byKind(item$, 'b', 'a');
      expectObservable(b$).toBe(expectedB, { B: item.b });
      expectObservable(a$).toBe(expectedA, { A: item.a });
      const each = '       ^-----------!';
      expectSubscriptions(item$.subscriptions).toBe([each, each]);
    }),
  );
});
