import fc from 'fast-check';
import { hasHit } from '../../../src/tapes/page/hits';
import { modelOf } from './model';

const model = modelOf(Array.from({ length: 40 }, (_, i) => ({ lane: i % 2 })));

describe('hasHit', () => {
  it('finds a hit of the lane between the first marble and the last', () => {
    expect(hasHit(model, [4], { first: 4, last: 4, lane: 0 })).toBe(true);
    expect(hasHit(model, [4], { first: 0, last: 9, lane: 1 })).toBe(false);
    expect(hasHit(model, [4], { first: 5, last: 9, lane: 0 })).toBe(false);
  });

  it('agrees with a search of all hits', () => {
    const marble = fc.nat(39);
    fc.assert(
      fc.property(fc.uniqueArray(marble), marble, marble, fc.nat(1), (found, a, b, lane) => {
        const hits = [...found].sort((x, y) => x - y);
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const expected = hits.some((hit) => hit >= first && hit <= last && hit % 2 === lane);
        expect(hasHit(model, hits, { first, last, lane })).toBe(expected);
      }),
    );
  });
});
