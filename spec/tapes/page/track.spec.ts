import fc from 'fast-check';
import { firstAt, hasHit, placeOf, toTrack } from '../../../src/tapes/page/track';
import { modelOf } from './model';

const none = { lanes: new Set<number>(), threads: new Set<number>() };
const many = modelOf(Array.from({ length: 1000 }, (_, i) => ({ lane: i % 2, thread: i % 3 === 2 ? -1 : i % 3 })));
const track = toTrack(many, none, 'ordinal');

describe('toTrack', () => {
  it('has a column for each marble that is shown, or its time', () => {
    const some = toTrack(many, { lanes: new Set([1]), threads: new Set([-1]) }, 'ordinal');
    expect([...some.shown.slice(0, 4)]).toEqual([0, 4, 6, 10]);
    expect([...some.xs.slice(0, 3)]).toEqual([0.5, 1.5, 2.5]);
    expect([some.rank[4], some.rank[5], some.length]).toEqual([1, -1, 333]);
    const clock = toTrack(many, { ...none, lanes: new Set([0]) }, 'linear');
    expect([...clock.xs.slice(0, 2), clock.length]).toEqual([10, 30, 9990]);
  });

  it('is empty where all is filtered out', () => {
    const empty = toTrack(many, { ...none, lanes: new Set([0, 1]) }, 'ordinal');
    expect([empty.shown.length, empty.length, firstAt(empty, 0), placeOf(empty, 3)]).toEqual([0, 1, 0, 1]);
  });
});

describe('placeOf', () => {
  it('is beside the next marble for one that is not shown', () => {
    const odd = toTrack(many, { ...none, lanes: new Set([0]) }, 'ordinal');
    expect([placeOf(odd, 1), placeOf(odd, 2), placeOf(odd, 3)]).toEqual([0.5, 1.5, 1.5]);
  });
});

describe('firstAt', () => {
  it('finds the first place from a position on', () => {
    expect([firstAt(track, 0), firstAt(track, 0.6), firstAt(track, 999.5), firstAt(track, 2000)]).toEqual([
      0, 1, 999, 1000,
    ]);
  });
});

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
