/** Decides where things lie in an SVG: the session runs through rows below each other, as music does. */
import { type Pile, toPiles } from '../../page';
import type { Chart } from '../chart';

/** How time runs: a column a message, or by the clock. */
export const AXES = ['ordinal', 'linear'] as const;
export type Axis = (typeof AXES)[number];

/** Pixels. */
export const SIZE = { width: 1200, gutter: 162, margin: 34, step: 26, lane: 34, tier: 5, head: 78, ruler: 26, gap: 18 };
/** A larger session is folded until it fits these rows. */
const MAX_ROWS = 12;
const START_X = SIZE.gutter + SIZE.step / 2;
const COLUMNS = Math.floor((SIZE.width - SIZE.margin - START_X) / SIZE.step);
/** Pixels of time in one row. */
const TRACK = COLUMNS * SIZE.step;

/** Where a marble is: the row, counted from 0, and the pixel in it. */
export type Place = { row: number; x: number };

/**
 * `perColumn` marbles share a column where the session is folded. `placeOf` a marble; `laneY` the wire of a lane within a
 * row; `rowY` the top of a row.
 */
export type Layout = {
  rows: number;
  perColumn: number;
  rowHeight: number;
  piles: Pile[];
  laneY: number[];
  endX: number;
  placeOf: (marble: number) => Place;
  placeOfMs: (ms: number) => Place;
  rowY: (row: number) => number;
};

export const toLayout = (chart: Chart, axis: Axis): Layout => {
  const { marbles } = chart;
  const perColumn = Math.max(1, Math.ceil(marbles.length / (COLUMNS * MAX_ROWS)));
  const rows = Math.max(1, Math.ceil(marbles.length / perColumn / COLUMNS));
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const xOfMs = (ms: number): number => (ms / lastMs) * (rows * TRACK - SIZE.step);
  const xOf = (i: number): number =>
    axis === 'ordinal' ? Math.floor(i / perColumn) * SIZE.step : xOfMs(marbles[i]?.atMs ?? 0);
  const tiers = tiersOf(chart);
  const laneY = toLaneYs(tiers);
  const rowHeight = (laneY.at(-1) ?? 0) + SIZE.lane / 2 + (tiers.at(-1) ?? 0) * SIZE.tier + SIZE.gap;
  return {
    ...{ rows, perColumn, rowHeight, laneY, endX: START_X + TRACK - SIZE.step / 2 },
    piles: pilesOf(chart, xOf),
    placeOf: (i) => toPlace(xOf(i), rows),
    placeOfMs: (ms) => toPlace(xOfMs(ms), rows),
    rowY: (row) => SIZE.head + row * rowHeight,
  };
};

const toPlace = (x: number, rows: number): Place => {
  const row = Math.min(rows - 1, Math.floor(x / TRACK));
  return { row, x: START_X + x - row * TRACK };
};

/** The tiers of each lane. */
const tiersOf = ({ lanes, marbles, spans }: Chart): number[] =>
  lanes.map((_, lane) =>
    spans.reduce((most, { from, tier }) => (marbles[from]?.lane === lane ? Math.max(most, tier + 1) : most), 0),
  );

const pilesOf = ({ marbles }: Chart, xOf: (marble: number) => number): Pile[] => {
  const laneOf = (i: number): number => marbles[i]?.lane ?? 0;
  const badOf = (i: number): boolean => marbles[i]?.mark === 'error';
  return toPiles([0, marbles.length], { laneOf, xOf, badOf }, SIZE.step * 0.8);
};

/** The heights of the wires. A lane with calls takes more room, as they are drawn below its wire. */
const toLaneYs = (tiers: readonly number[]): number[] =>
  tiers.map((_, lane) => {
    const above = tiers.slice(0, lane).reduce((sum, many) => sum + SIZE.lane + many * SIZE.tier, 0);
    return SIZE.ruler + above + SIZE.lane / 2;
  });
