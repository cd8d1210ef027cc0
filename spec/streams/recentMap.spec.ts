import fc from 'fast-check';
import { recentMap } from '../../src/streams/recentMap';

describe('recentMap', () => {
  it('knows the newest entries, and forgets those that are older than twice as many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 60 }), (count, total) => {
        const known = recentMap<number>(count);
        for (let i = 0; i < total; i += 1) known.set(String(i), i);
        for (let i = 0; i < total; i += 1) {
          const age = total - i;
          if (age <= count) expect(known.get(String(i))).toBe(i);
          if (age > 2 * count) expect(known.get(String(i))).toBeUndefined();
        }
      }),
    );
  });
});
