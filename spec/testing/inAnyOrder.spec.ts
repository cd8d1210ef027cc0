import type { ComparedMarble } from '../../src/streams/marbles/drawMismatch';
import { type IsSame, inAnyOrder, inPlace } from '../../src/testing/judge';

const row = (letters: string, frames: readonly number[]): ComparedMarble[] =>
  [...letters].map((symbol, i) => ({ frame: frames[i] ?? 0, symbol, value: symbol, label: symbol, phase: undefined }));

const isSame: IsSame = (expected, actual) => expected !== undefined && expected.value === actual?.value;

const lettersOf = (marbles: readonly ComparedMarble[]): string => marbles.map(({ symbol }) => symbol).join('');

describe('inAnyOrder', () => {
  it('puts the marbles of one frame into the order in which they were received', () => {
    expect(lettersOf(inAnyOrder(row('abcd', [1, 1, 1, 2]), row('cabd', []), isSame))).toBe('cabd');
  });

  it('keeps the order of frames', () => {
    expect(lettersOf(inAnyOrder(row('ab', [1, 2]), row('ba', []), isSame))).toBe('ab');
  });

  it('keeps the first of a frame where none of it was received', () => {
    expect(lettersOf(inAnyOrder(row('abc', [1, 1, 1]), row('xcb', []), isSame))).toBe('acb');
  });

  it('has nothing to order in an empty row', () => {
    expect(inAnyOrder([], row('a', [1]), isSame)).toEqual([]);
  });
});

describe('inPlace', () => {
  const framesOf = (marbles: readonly ComparedMarble[]) => marbles.map(({ symbol, frame }) => [symbol, frame]);

  it('gives a received marble the frame of the expected one', () => {
    expect(framesOf(inPlace(row('ab', [3, 7]), row('ab', [0, 0]), isSame))).toEqual([
      ['a', 3],
      ['b', 7],
    ]);
  });

  it('places one that was not expected directly after the one before it', () => {
    expect(framesOf(inPlace(row('ab', [3, 7]), row('axb', [0, 0, 0]), isSame))).toEqual([
      ['a', 3],
      ['x', 3.001],
      ['b', 7],
    ]);
  });
});
