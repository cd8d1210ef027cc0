import fc from 'fast-check';
import { toClusters } from '../../../src/tapes/page/clusters';

type Spot = { lane: number; x: number; bad?: boolean };

const cluster = (spots: Spot[], gap: number) =>
  toClusters(
    [0, spots.length],
    {
      laneOf: (i) => spots[i]?.lane ?? 0,
      xOf: (i) => spots[i]?.x ?? 0,
      badOf: (i) => spots[i]?.bad ?? false,
    },
    gap,
  ).map(({ lane, x, first, last, count, bad }) => ({ lane, x, first, last, count, bad }));

describe('toClusters', () => {
  it('leaves alone what is far from each other, or on other lanes', () => {
    expect(
      cluster(
        [
          { lane: 0, x: 0 },
          { lane: 1, x: 1 },
          { lane: 0, x: 10 },
        ],
        10,
      ),
    ).toEqual([
      { lane: 0, x: 0, first: 0, last: 0, count: 1, bad: 0 },
      { lane: 1, x: 1, first: 1, last: 1, count: 1, bad: 0 },
      { lane: 0, x: 10, first: 2, last: 2, count: 1, bad: 0 },
    ]);
  });

  it('joins what is near the first of its cluster, and counts its errors', () => {
    expect(
      cluster(
        [
          { lane: 0, x: 0 },
          { lane: 1, x: 2 },
          { lane: 0, x: 4, bad: true },
          { lane: 0, x: 12 },
        ],
        10,
      ),
    ).toEqual([
      { lane: 0, x: 2, first: 0, last: 2, count: 2, bad: 1 },
      { lane: 1, x: 2, first: 1, last: 1, count: 1, bad: 0 },
      { lane: 0, x: 12, first: 3, last: 3, count: 1, bad: 0 },
    ]);
  });

  it('has each marble in one cluster, and clusters of a lane that do not overlap', () => {
    const spots = fc.array(fc.record({ lane: fc.nat(3), x: fc.nat(500) })).map((all) => all.sort((a, b) => a.x - b.x));
    fc.assert(
      fc.property(spots, fc.integer({ min: 1, max: 60 }), (all, gap) => {
        const clusters = cluster(all, gap);
        expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        for (const lane of [0, 1, 2, 3]) {
          const own = clusters.filter((one) => one.lane === lane);
          for (const [i, { x, first, last }] of own.entries()) {
            expect(x).toBeGreaterThanOrEqual(all[first]?.x ?? 0);
            expect(x).toBeLessThanOrEqual(all[last]?.x ?? 0);
            if (i > 0) expect(x - (own[i - 1]?.x ?? 0)).toBeGreaterThanOrEqual(gap);
          }
        }
      }),
    );
  });
});
