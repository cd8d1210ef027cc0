/** Decides where things are in an SVG: the session runs through rows below each other, as music does. A row shows only lanes with something in them. */
import type { Chart } from '../diagram/chart';
import { type Cluster, toClusters } from '../page/clusters';
import { labelWidth } from '../page/labels';
import { pillWidth } from './marbleSvg';

/** How time runs: a column per message, or by the clock. */
export const AXES = ['ordinal', 'linear'] as const;
/** How time runs in a diagram. */
export type Axis = (typeof AXES)[number];

/** Pixels. */
export const SIZE = { width: 1200, margin: 34, step: 26, head: 78 };
/** Pixels for the names of lanes, including `space` before and after them. */
const GUTTER = { least: 110, most: 360, space: 40 };
/** A larger session is folded until it fits these rows. */
const MAX_ROWS = 12;

/** The place of a marble: the row, counted from 0, and the pixel in it. */
type Place = { row: number; x: number };

/** Where everything is; pixels. */
export type Layout = {
  rows: readonly Row[];
  /** How many marbles share a column; more than 1 if the session is folded. */
  perColumn: number;
  clusters: Cluster[];
  /** Where the wires begin. */
  gutter: number;
  /** Where the wires end. */
  endX: number;
  height: number;
  placeOf: (marble: number) => Place;
  placeOfMs: (ms: number) => Place;
};

/** The places of all marbles of a chart. */
export const toLayout = (chart: Chart, axis: Axis): Layout => {
  const gutter = gutterOf(chart);
  const startX = gutter + SIZE.step / 2;
  const columns = Math.floor((SIZE.width - SIZE.margin - startX) / SIZE.step);
  const { perColumn, many, xOf, xOfMs } = toTrack(chart, axis, columns);
  const toPlace = (x: number): Place => {
    const row = Math.min(many - 1, Math.floor(x / (columns * SIZE.step)));
    return { row, x: startX + x - row * columns * SIZE.step };
  };
  const placeOf = (i: number): Place => toPlace(xOf(i));
  const rows = toRows(chart, (i) => placeOf(i).row, { many, top: SIZE.head });
  return {
    rows,
    perColumn,
    gutter,
    endX: startX + (columns - 0.5) * SIZE.step,
    clusters: clustersOf(chart, xOf),
    height: rows.reduce((sum, { height }) => sum + height, SIZE.head),
    placeOf,
    placeOfMs: (ms: number) => toPlace(xOfMs(ms)),
  };
};

const gutterOf = ({ lanes }: Chart): number => {
  const widest = lanes.reduce((most, { title }) => Math.max(most, labelWidth(title.slice(0, 100))), 0);
  return Math.ceil(Math.min(GUTTER.most, Math.max(GUTTER.least, widest * 1.08 + GUTTER.space)));
};

const toTrack = ({ marbles }: Chart, axis: Axis, columns: number) => {
  const perColumn = Math.max(1, Math.ceil(marbles.length / (columns * MAX_ROWS)));
  const many = Math.max(1, Math.ceil(marbles.length / perColumn / columns));
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const xOfMs = (ms: number): number => (ms / lastMs) * (many * columns - 1) * SIZE.step;
  const xOf = (i: number): number =>
    axis === 'ordinal' ? Math.floor(i / perColumn) * SIZE.step : xOfMs(marbles[i]?.atMs ?? 0);
  return { perColumn, many, xOf, xOfMs };
};

/** Marbles nearer than this overlap. */
const GAP = SIZE.step * 0.8;

/** Clusters with room for their numbers; marbles in separate columns stay single. */
const clustersOf = ({ marbles }: Chart, xOf: (marble: number) => number): Cluster[] => {
  const laneOf = (i: number): number => marbles[i]?.lane ?? 0;
  const badOf = (i: number): boolean => marbles[i]?.mark === 'error';
  const clusters = toClusters([0, marbles.length], { laneOf, xOf, badOf }, GAP);
  const widest = clusters.reduce((most, { count }) => Math.max(most, count === 1 ? 0 : pillWidth(count) + 1), 0);
  return widest <= GAP ? clusters : toClusters([0, marbles.length], { laneOf, xOf, badOf }, widest);
};

/** A row; pixels. */
export type Row = {
  top: number;
  height: number;
  /** The wire of each of its lanes, from the top of the row. */
  laneY: ReadonlyMap<number, number>;
};

/** Pixels. */
export const ROW = { lane: 36, tier: 5, ruler: 26, gap: 18 };

/**
 * The rows from `top` on.
 * @param rowOf the row of a marble
 */
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
