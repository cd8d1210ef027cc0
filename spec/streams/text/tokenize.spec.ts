import fc from 'fast-check';
import { tokenize } from '../../../src/streams/text/tokenize';

const PIECE = /(\d+)|[a-c]/gy;
const read = (text: string) => tokenize(PIECE, text)?.map(([match]) => match);

describe('tokenize', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['ab12c', ['a', 'b', '12', 'c']],
  ])('cuts %j', (text, pieces) => {
    expect(read(text)).toEqual(pieces);
  });

  it.each(['x', 'ax', 'xa', 'a b', 'ab\n'])('is undefined for %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('gives the groups of a match', () => {
    expect(tokenize(PIECE, 'a7')?.map(([, digits]) => digits)).toEqual([undefined, '7']);
  });

  it('puts together again what it cut, and begins at the front each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', 'x') }), (text) => {
        expect(read(text)?.join('')).toBe(text.includes('x') ? undefined : text);
        expect(PIECE.lastIndex).toBe(0);
      }),
    );
  });
});
