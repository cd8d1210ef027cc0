import {
  accentedCapitals,
  CAPITAL_LETTERS,
  freeLetter,
  LETTERS,
  lettersBetween,
  SMALL_LETTERS,
} from '../../../src/streams/marbles/letters';

const taken =
  (...letters: string[]) =>
  (letter: string): boolean =>
    letters.includes(letter);

describe('freeLetter', () => {
  it.each([
    ['a preferred one', SMALL_LETTERS, taken(), 'ping', 'p'],
    ['the next preferred one', SMALL_LETTERS, taken('p'), 'ping', 'i'],
    ['the first of the alphabet', SMALL_LETTERS, taken('x'), 'x', 'a'],
    ['none that the alphabet lacks', CAPITAL_LETTERS, taken(), 'ping', 'A'],
    ['none when all are taken', ['a'], taken('a'), 'a', undefined],
  ])('gives %s', (_, alphabet, isTaken, preferred, expected) => {
    expect(freeLetter(alphabet, isTaken, preferred)).toBe(expected);
  });
});

describe('accentedCapitals', () => {
  it('have one small letter each, of one character', () => {
    const capitals = accentedCapitals();
    const smalls = new Set(capitals.map((letter) => letter.toLowerCase()));
    expect([capitals.length, smalls.size, [...smalls].every(({ length }) => length === 1)]).toEqual([318, 318, true]);
  });
});

describe('lettersBetween', () => {
  it('ends before the last', () => {
    expect(lettersBetween(0x61, 0x64)).toEqual(['a', 'b', 'c']);
  });
});

describe('LETTERS', () => {
  it('are each there once', () => {
    expect(new Set(LETTERS).size).toBe(62 + 50);
  });
});
