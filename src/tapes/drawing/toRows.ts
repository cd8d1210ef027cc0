/** Decides the rows of an SVG: each shows only the lanes in which something happens. */
import type { Chart } from '../diagram/chart';

/** The top and the height of a row, and for each of its lanes the height of its wire, counted from that top. */
export type Row = { top: number; height: number; laneY: ReadonlyMap<number, number> };

/** Pixels. */
export const ROW = { lane: 36, tier: 5, ruler: 26, gap: 18 };

/** The rows from `top` on, `many` of them. @param rowOf the row of a marble */
export const toRows = (
  chart: Chart,
  rowOf: (marble: number) => number,
  { many, top }: { many: number; top: number },
): Row[] => {
  const tiers = toTiers(chart, rowOf, many);
  let nextTop = top;
  return tiers.map((tiersOf) => {
    const row = toRow(nextTop, tiersOf);
    nextTop += row.height;
    return row;
  });
};

/** By row: the lanes with something in them, each with the most calls that are drawn below each other. */
type Tiers = Map<number, number>;

const toTiers = ({ marbles, spans }: Chart, rowOf: (marble: number) => number, many: number): Tiers[] => {
  const rows = Array.from({ length: many }, (): Tiers => new Map());
  const use = (row: number, lane: number, tiers: number): void => {
    const used = rows[row];
    used?.set(lane, Math.max(used.get(lane) ?? 0, tiers));
  };
  for (const [i, { lane }] of marbles.entries()) use(rowOf(i), lane, 0);
  for (const { from, to, tier } of spans) {
    const last = to === undefined ? many - 1 : rowOf(to);
    for (let row = rowOf(from); row <= last; row += 1) use(row, marbles[from]?.lane ?? 0, tier + 1);
  }
  return rows;
};

/** A lane with calls takes more room, as they are drawn below its wire. */
const toRow = (top: number, tiers: Tiers): Row => {
  const laneY = new Map<number, number>();
  let y = ROW.ruler;
  for (const [lane, many] of [...tiers].sort(([a], [b]) => a - b)) {
    laneY.set(lane, y + ROW.lane / 2);
    y += ROW.lane + many * ROW.tier;
  }
  return { top, height: y + ROW.gap, laneY };
};
