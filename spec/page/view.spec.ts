import fc from 'fast-check';
import { firstAt, placeOf, toTrack } from '../../src/page/track';
import { clamped, framing, fromPixel, opening, panned, revealing, toPixel, whole, zoomed } from '../../src/page/view';
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

describe('a view', () => {
  const start = opening(track, 'ordinal', 1052);

  it('opens with room for letters, shows all on demand', () => {
    expect(start).toEqual({ start: 0, span: 31.25, width: 1052 });
    expect(whole(track, 'ordinal', 1052)).toEqual({ start: 0, span: 1000, width: 1052 });
    expect(opening(toTrack(many, none, 'linear'), 'linear', 1052).span).toBe(9990);
  });

  it('keeps what is below the pointer when it zooms', () => {
    const middle = panned(track, 'ordinal', start, 4000);
    for (const by of [0.5, 2]) {
      const next = zoomed(track, 'ordinal', middle, by, 300);
      expect(fromPixel(next, 300)).toBeCloseTo(fromPixel(middle, 300));
      expect(next.span).toBeCloseTo(middle.span / by);
    }
  });

  it('moves only when it must, to show a position', () => {
    expect(revealing(track, 'ordinal', start, 20)).toBe(start);
    expect(revealing(track, 'ordinal', start, 500).start).toBeCloseTo(500 - start.span / 2);
  });

  it('frames a part with some air', () => {
    const framed = framing(track, 'ordinal', start, [100, 120]);
    expect(framed.span).toBe(25);
    expect(framed.start).toBeCloseTo(97.5);
  });

  it('never leaves the track, whatever is done', () => {
    const act = fc.tuple(fc.constantFrom('zoom', 'pan'), fc.double({ min: -3, max: 3, noNaN: true }));
    fc.assert(
      fc.property(fc.array(act), fc.constantFrom('ordinal' as const, 'linear' as const), (acts, axis) => {
        const own = toTrack(many, none, axis);
        const view = acts.reduce(
          (now, [kind, by]) =>
            kind === 'zoom' ? zoomed(own, axis, now, 2 ** by, 100) : panned(own, axis, now, by * 2000),
          opening(own, axis, 800),
        );
        expect(view.start).toBeGreaterThanOrEqual(0);
        expect(view.start + view.span).toBeLessThanOrEqual(own.length * 1.0001);
        expect(clamped(own, axis, view).start).toBeCloseTo(view.start);
        expect(fromPixel(view, toPixel(view, 5))).toBeCloseTo(5);
      }),
    );
  });
});
