import fc from 'fast-check';
import { toTrack } from '../../../src/tapes/page/track';
import {
  clamped,
  framing,
  fromPixel,
  opening,
  panned,
  revealing,
  toPixel,
  whole,
  zoomed,
} from '../../../src/tapes/page/view';
import { modelOf } from './model';

const none = { lanes: new Set<number>(), threads: new Set<number>() };
const many = modelOf(Array.from({ length: 1000 }, (_, i) => ({ lane: i % 2, thread: i % 3 === 2 ? -1 : i % 3 })));
const track = toTrack(many, none, 'ordinal');

describe('a view', () => {
  const start = opening(track, 1052);

  it('opens with room for letters, shows all on demand', () => {
    expect(start).toEqual({ start: 0, span: 31.25, width: 1052 });
    expect(whole(track, 1052)).toEqual({ start: 0, span: 1000, width: 1052 });
    expect(opening(toTrack(many, none, 'linear'), 1052).span).toBe(9990);
  });

  it('keeps what is below the pointer when it zooms', () => {
    const middle = panned(track, start, 4000);
    for (const by of [0.5, 2]) {
      const next = zoomed(track, middle, { by, px: 300 });
      expect(fromPixel(next, 300)).toBeCloseTo(fromPixel(middle, 300));
      expect(next.span).toBeCloseTo(middle.span / by);
    }
  });

  it('moves only when it must, to show a position', () => {
    expect(revealing(track, start, 20)).toBe(start);
    expect(revealing(track, start, 500).start).toBeCloseTo(500 - start.span / 2);
  });

  it('frames a part with some air', () => {
    const framed = framing(track, start, [100, 120]);
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
            kind === 'zoom' ? zoomed(own, now, { by: 2 ** by, px: 100 }) : panned(own, now, by * 2000),
          opening(own, 800),
        );
        expect(view.start).toBeGreaterThanOrEqual(0);
        expect(view.start + view.span).toBeLessThanOrEqual(own.length * 1.0001);
        expect(clamped(own, view).start).toBeCloseTo(view.start);
        expect(fromPixel(view, toPixel(view, 5))).toBeCloseTo(5);
      }),
    );
  });
});
