/** Owns where things lie in an SVG: the session runs through rows below each other, as music does. */
import { type Pile, toPiles } from '../../page';
import type { Chart } from '../chart';

/** How time runs: a column a message, or by the clock. */
export const AXES = ['ordinal', 'linear'] as const;
export type Axis = (typeof AXES)[number];

/** Pixels. */
export const SIZE = { width: 1200, gutter: 162, margin: 34, step: 26, lane: 34, tier: 5, head: 78, ruler: 26, gap: 18 };
/** A larger session is folded until it fits these rows. */
const MAX_ROWS = 12;

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
  tiers: number[];
  startX: number;
  endX: number;
  placeOf: (marble: number) => Place;
  placeOfMs: (ms: number) => Place;
  rowY: (row: number) => number;
};

export const toLayout = (chart: Chart, axis: Axis): Layout => {
  const { marbles, lanes, spans } = chart;
  const startX = SIZE.gutter + SIZE.step / 2;
  const columns = Math.floor((SIZE.width - SIZE.margin - startX) / SIZE.step);
  const perColumn = Math.max(1, Math.ceil(marbles.length / (columns * MAX_ROWS)));
  const rows = Math.max(1, Math.ceil(marbles.length / perColumn / columns));
  const track = columns * SIZE.step;
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const trackOfMs = (ms: number): number => (ms / lastMs) * (rows * track - SIZE.step);
  const trackOf = (i: number): number =>
    axis === 'ordinal' ? Math.floor(i / perColumn) * SIZE.step : trackOfMs(marbles[i]?.atMs ?? 0);
  const place = (at: number): Place => {
    const row = Math.min(rows - 1, Math.floor(at / track));
    return { row, x: startX + at - row * track };
  };
  const tiers = lanes.map((_, lane) =>
    spans.reduce((most, { from, tier }) => (marbles[from]?.lane === lane ? Math.max(most, tier + 1) : most), 0),
  );
  const laneY = toLaneYs(tiers);
  const rowHeight = (laneY.at(-1) ?? 0) + SIZE.lane / 2 + (tiers.at(-1) ?? 0) * SIZE.tier + SIZE.gap;
  const piles = toPiles(
    [0, marbles.length],
    {
      laneOf: (i) => marbles[i]?.lane ?? 0,
      xOf: trackOf,
      badOf: (i) => marbles[i]?.mark === 'error',
    },
    SIZE.step * 0.8,
  );
  return {
    ...{ rows, perColumn, rowHeight, piles, laneY, tiers, startX, endX: startX + track - SIZE.step / 2 },
    placeOf: (i) => place(trackOf(i)),
    placeOfMs: (ms) => place(trackOfMs(ms)),
    rowY: (row) => SIZE.head + row * rowHeight,
  };
};

/** Wires, those with calls further from the next, as the calls are drawn below them. */
const toLaneYs = (tiers: readonly number[]): number[] =>
  tiers.map((_, lane) => {
    const above = tiers.slice(0, lane).reduce((sum, many) => sum + SIZE.lane + many * SIZE.tier, 0);
    return SIZE.ruler + above + SIZE.lane / 2;
  });
