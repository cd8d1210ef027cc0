import fc from 'fast-check';
import { cutTo, fillTo, flowTo, padTo, widthOf, wrapTo } from '../../../src/io/terminal/width';

const text = fc.string({ unit: fc.constantFrom('a', 'bc', ' ', 'ö', '日', '本', '🚀', 'é', ',') });
const columns = fc.integer({ min: 2, max: 40 });

describe('cutTo', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['a', 1, 'a'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('makes of %p in %i columns %p', (long, max, expected) => {
    expect(cutTo(long, max)).toBe(expected);
  });

  it('never takes more columns', () => {
    fc.assert(fc.property(text, columns, (long, max) => expect(widthOf(cutTo(long, max))).toBeLessThanOrEqual(max)));
  });
});

describe('fillTo', () => {
  it.each([
    ['ab', 4, 'ab  '],
    ['日本', 5, '日本 '],
    ['日本', 3, '日本'],
    ['', 0, ''],
  ])('makes of %p in %i columns %p', (short, min, expected) => {
    expect(fillTo(short, min)).toBe(expected);
  });
});

describe('padTo', () => {
  it('always takes the same columns', () => {
    fc.assert(fc.property(text, columns, (long, max) => expect(widthOf(padTo(long, max))).toBe(max)));
  });
});

describe('wrapTo', () => {
  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['日本語 ab', 6, ['日本語', 'ab']],
    ['', 4, ['']],
  ])('breaks %p in %i columns', (long, max, expected) => {
    expect(wrapTo(long, max)).toEqual(expected);
  });

  it('never takes more columns, and loses nothing but spaces', () => {
    fc.assert(
      fc.property(text, columns, (long, max) => {
        const lines = wrapTo(long, max);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(max);
        expect(lines.join('').replaceAll(' ', '')).toBe(long.replaceAll(' ', ''));
      }),
    );
  });
});

describe('flowTo', () => {
  it('fills lines with items, and gives a longer one a line of its own', () => {
    expect(flowTo(['a', 'bb', '日本', 'longer than that', 'c'], 7, ', ')).toEqual([
      'a, bb',
      '日本',
      'longer than that',
      'c',
    ]);
    expect(flowTo([], 7, ', ')).toEqual([]);
  });
});
