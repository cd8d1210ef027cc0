import { type Axis, ROW, SIZE, toLayout, toRows } from '../../../src/tapes/drawing/layout';
import { pillWidth } from '../../../src/tapes/drawing/marbleSvg';
import { sessionFrom } from '../../support/tapes';
import { draw } from '../diagram/tapes';
import { chartOf, lane, marble } from './charts';

const chartOfMany = (many: number) =>
  draw(
    sessionFrom(...Array.from({ length: many }, (_, i): [number, string, object] => [i * 10, 'in', { method: 'a' }])),
  );
const layoutOf = (many: number, axis: Axis = 'ordinal') => toLayout(chartOfMany(many), axis);

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

const lanes = [lane('request'), lane('answer'), lane('event')];

const rowsOf = (own: Parameters<typeof chartOf>[0], many: number) =>
  toRows(chartOf({ lanes, ...own }), (i) => Math.floor(i / 2), { many, top: 100 });

describe('toRows', () => {
  it('has in each row the lanes in which something is', () => {
    const rows = rowsOf({ marbles: [marble(), marble({ lane: 1 }), marble({ lane: 2 }), marble({ lane: 2 })] }, 2);
    expect(rows.map(({ laneY }) => [...laneY.keys()])).toEqual([[0, 1], [2]]);
    expect(rows[0]?.laneY.get(1)).toBe(ROW.ruler + 1.5 * ROW.lane);
  });

  it('puts rows below each other', () => {
    const [first, second] = rowsOf({ marbles: [marble(), marble(), marble()] }, 2);
    expect(first).toEqual({ top: 100, height: ROW.ruler + ROW.lane + ROW.gap, laneY: new Map([[0, 44]]) });
    expect(second?.top).toBe(100 + (first?.height ?? 0));
  });

  it('keeps the lane of a call that waits, with room for calls at once; one without a response to the end', () => {
    const marbles = Array.from({ length: 8 }, (_, i) => marble({ lane: i < 2 ? 0 : 2 }));
    const span = { outcome: 'answered', tier: 0 } as const;
    const lanesOf = (to: number | undefined, tier: number) =>
      rowsOf({ marbles, spans: [{ ...span, from: 1, ...(to !== undefined && { to }), tier }] }, 4).map(({ laneY }) =>
        [...laneY.keys()].join(),
      );
    expect([lanesOf(5, 0), lanesOf(undefined, 0)]).toEqual([
      ['0', '0,2', '0,2', '2'],
      ['0', '0,2', '0,2', '0,2'],
    ]);
    const heights = [0, 1].map((tier) => rowsOf({ marbles, spans: [{ ...span, from: 0, to: 1, tier }] }, 4)[0]?.height);
    expect((heights[1] ?? 0) - (heights[0] ?? 0)).toBe(ROW.tier);
  });

  it('takes a session without marbles', () => {
    expect(rowsOf({ marbles: [] }, 1)).toEqual([{ top: 100, height: ROW.ruler + ROW.gap, laneY: new Map() }]);
  });
});
