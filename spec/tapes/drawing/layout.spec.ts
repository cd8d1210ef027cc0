import { type Axis, SIZE, toLayout } from '../../../src/tapes/drawing/layout';
import { pillWidth } from '../../../src/tapes/drawing/marbleSvg';
import { sessionFrom } from '../../support/tapes';
import { draw } from '../diagram/tapes';

const chartOf = (many: number) =>
  draw(
    sessionFrom(...Array.from({ length: many }, (_, i): [number, string, object] => [i * 10, 'in', { method: 'a' }])),
  );
const layoutOf = (many: number, axis: Axis = 'ordinal') => toLayout(chartOf(many), axis);

/** The columns that a row has with the narrowest names. */
const COLUMNS = 39;

describe('toLayout', () => {
  it('gives each message a column, and goes on in the next row', () => {
    const { placeOf, rows, perColumn } = layoutOf(50);
    const first = placeOf(0);
    expect(placeOf(1)).toEqual({ row: 0, x: first.x + SIZE.step });
    expect(placeOf(COLUMNS)).toEqual({ row: 1, x: first.x });
    expect([rows.length, perColumn]).toEqual([2, 1]);
  });

  it('folds a session that needs more than twelve rows', () => {
    const { rows, perColumn, placeOf } = layoutOf(1000);
    expect([rows.length, perColumn]).toEqual([9, 3]);
    expect(placeOf(2)).toEqual(placeOf(0));
  });

  it('goes by the clock from the first pixel to the last', () => {
    const { placeOf, endX, gutter } = layoutOf(11, 'linear');
    expect(placeOf(0).x).toBe(gutter + SIZE.step / 2);
    expect(placeOf(10).x).toBeLessThanOrEqual(endX);
    expect(placeOf(5).x).toBeCloseTo((placeOf(0).x + placeOf(10).x) / 2);
  });

  it('leaves each cluster the room for its number', () => {
    const { clusters } = layoutOf(60_000, 'linear');
    expect(Math.max(...clusters.map(({ count }) => count))).toBeGreaterThan(99);
    clusters.forEach(({ x, count }, i) => {
      if (i > 0) expect(x - (clusters[i - 1]?.x ?? 0)).toBeGreaterThan(pillWidth(count));
    });
  });

  it('gives the names of lanes the room that they need, within limits', () => {
    const gutterOf = (method: string) => toLayout(draw(sessionFrom([0, 'out', { method }])), 'ordinal').gutter;
    const [short, long, endless] = ['a', 'a'.repeat(30), 'a'.repeat(9000)].map(gutterOf) as [number, number, number];
    expect([short < long, long < endless, endless]).toEqual([true, true, 360]);
  });

  it('lays an empty session', () => {
    expect(toLayout(draw({ meta: {}, entries: [] }), 'linear')).toMatchObject({
      rows: [{ top: SIZE.head }],
      perColumn: 1,
      clusters: [],
    });
  });
});
