import fc from 'fast-check';
import { fewerMembers, smallerValues } from '../../../src/tapes/fuzz/smallerValues';

/** The smallest value that still fails, as a search finds it that takes the first smaller one that fails. */
const smallest = (value: unknown, fails: (value: unknown) => boolean): unknown => {
  const next = smallerValues(value).find(fails);
  return next === undefined ? value : smallest(next, fails);
};

const sizeOf = (value: unknown): number => {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + 1 + sizeOf(one), 0);
};

describe('smallerValues', () => {
  it.each<[string, unknown, (value: unknown) => boolean, unknown]>([
    ['the length of a text', 'x'.repeat(100_000), (one) => String(one).length > 300, 'x'.repeat(301)],
    [
      'the part of a text that matters',
      `${'a'.repeat(90)}<${'b'.repeat(700)}`,
      (one) => String(one).includes('<'),
      '<',
    ],
    ['a number', -1_000_000, (one) => Number(one) <= -255, -255],
    ['a whole number in place of a fraction', 1.5, (one) => Number(one) >= 1, 1],
    ['an item of a list', [1, 2, ['deep', 'x'], 4], (one) => JSON.stringify(one).includes('e'), [['e']]],
    [
      'a member',
      { a: 'long', b: { c: [1, 2], d: null } },
      (one) => JSON.stringify(one).includes('"c"'),
      { b: { c: [] } },
    ],
    ['nothing', null, () => true, null],
  ])('lead to %s', (_, value, fails, expected) => {
    expect(smallest(value, fails)).toEqual(expected);
  });

  it('are smaller, and not too many', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text, (_, one) => (typeof one === 'number' ? Math.trunc(one % 1_000) : one));
        const all = smallerValues(value);
        expect(all.filter((one) => !(sizeOf(one) < sizeOf(value)))).toEqual([]);
        expect(all.length).toBeLessThan(10_000);
      }),
    );
  });
});

describe('fewerMembers', () => {
  it('keeps the members that are named', () => {
    expect(fewerMembers({ a: 1, b: 2, c: true }, 'b')).toEqual([
      { b: 2 },
      { b: 2, c: true },
      { a: 1, b: 2 },
      { a: 0, b: 2, c: true },
    ]);
    expect(fewerMembers({ b: 2 }, 'b')).toEqual([]);
  });
});
