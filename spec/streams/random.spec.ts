import fc from 'fast-check';
import { randomOf } from '../../src/streams/random';

describe('randomOf', () => {
  it('repeats its numbers for the same seed, within the bounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1_000 }), (seed, end) => {
        const [one, same] = [randomOf(seed), randomOf(seed)];
        const numbers = Array.from({ length: 20 }, () => one.below(end));
        expect(Array.from({ length: 20 }, () => same.below(end))).toEqual(numbers);
        expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < end)).toBe(true);
      }),
    );
  });

  it('picks each of several items', () => {
    const random = randomOf(1);
    const picked = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
    expect([...picked].toSorted()).toEqual(['a', 'b', 'c']);
  });
});
