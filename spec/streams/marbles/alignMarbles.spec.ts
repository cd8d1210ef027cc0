import { alignMarbles } from '../../../src/streams/marbles/alignMarbles';
import { timeline } from './timelines';

describe('alignMarbles', () => {
  it('is empty for timelines that are the same, with matchers and members that are undefined', () => {
    const actual = timeline('a-b-#', { a: { x: 1, y: undefined }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    const expected = timeline('a-b-#', { a: { x: expect.any(Number) }, b: [new Map([[1, 2]]), new Uint8Array([1])] });
    expect(alignMarbles(actual, expected)).toBe('');
  });

  it('is empty for two empty timelines', () => {
    expect(alignMarbles([], [])).toBe('');
  });

  it.each([
    ['a value more', 'ab|', 'a-|', 'expected | (the end); actual b (a value)'],
    ['a value less', 'a-|', 'ab|', 'expected b (a value); actual | (the end)'],
    ['no end', 'a', 'a|', 'expected | (the end); actual nothing'],
    ['an end', 'a|', 'a', 'expected nothing; actual | (the end)'],
    ['another time', 'a--b', 'a-b', 'at 2 ms and at 3 ms'],
    ['an error', 'a#', 'a|', 'actual # (an error)'],
  ])('shows %s', (_, actual, expected, words) => {
    expect(alignMarbles(timeline(actual), timeline(expected))).toContain(words);
  });

  it('gives equal values one letter, and values of one character that character', () => {
    const values = { p: { n: 1 }, q: { n: 1 }, r: { n: 2 }, x: 'x' };
    expect(alignMarbles(timeline('pqrx', values), timeline('pqrx-|', values)).split('\n').slice(0, 3)).toEqual([
      '  expected  aabx-|',
      '  actual    aabx--',
      '                 ^',
    ]);
  });
});
