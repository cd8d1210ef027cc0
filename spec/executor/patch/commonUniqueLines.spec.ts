import fc from 'fast-check';
import { commonUniqueLines } from '../../../src/executor/patch/diffLines';

const common = (before: string, after: string): string =>
  commonUniqueLines([...before], [...after])
    .map(({ oldAt, newAt }) => (before[oldAt] === after[newAt] ? before[oldAt] : '!'))
    .join('');

describe('commonUniqueLines', () => {
  it.each([
    ['', 'abc', ''],
    ['abc', 'abc', 'abc'],
    ['abc', 'xaybzc', 'abc'],
    ['aab', 'ab', 'b'],
    ['abcd', 'dabc', 'abc'],
    ['abc', 'cba', 'c'],
  ])('of %j and %j', (before, after, expected) => {
    expect(common(before, after)).toBe(expected);
  });

  it('rises in both texts, and no series is longer', () => {
    const unique = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
    const longest = (a: readonly string[], b: readonly string[]): number => {
      const [first, ...rest] = a;
      if (first === undefined) return 0;
      const at = b.indexOf(first);
      return Math.max(longest(rest, b), at < 0 ? 0 : 1 + longest(rest, b.slice(at + 1)));
    };
    fc.assert(
      fc.property(unique, unique, (before, after) => {
        const anchors = commonUniqueLines(before, after);
        expect(anchors).toHaveLength(longest(before, after));
        expect(anchors).toEqual([...anchors].sort((a, b) => a.oldAt - b.oldAt || a.newAt - b.newAt));
        expect(anchors.every(({ oldAt, newAt }) => before[oldAt] === after[newAt])).toBe(true);
      }),
    );
  });
});
