import { ROW, toRows } from '../../../src/tapes/drawing/toRows';
import { chartOf, lane, marble } from './charts';

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
