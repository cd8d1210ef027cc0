/** Small charts, and a layout with round numbers, for the parts of an SVG. */
import type { Chart, ChartMarble } from '../../../src/tapes/diagram/chart';
import type { Layout, Row } from '../../../src/tapes/drawing/layout';
import type { LaneData } from '../../../src/tapes/page/model';

export const marble = (own: Partial<ChartMarble> = {}): ChartMarble => ({
  atMs: 0,
  untilMs: own.atMs ?? 0,
  lane: 0,
  symbol: 'p',
  name: 'ping',
  mark: 'plain',
  first: 0,
  count: 1,
  ...own,
});

export const lane = (group: LaneData['group'], title: string = group): LaneData => ({ key: group, group, title });

export const chartOf = (own: Partial<Chart> = {}): Chart => ({
  entries: [{ lineNumber: 2, entry: { t: 0, dir: 'in', line: '{"a":1}' } }],
  lanes: [lane('request'), lane('answer')],
  marbles: [marble()],
  spans: [],
  threads: [],
  ends: {},
  facts: [],
  ...own,
});

/** Rows of a height of 200, with three lanes. */
export const rowsOf = (many: number): Row[] =>
  Array.from({ length: many }, (_, row) => ({
    top: 78 + row * 200,
    height: 200,
    laneY: new Map([40, 80, 120].entries()),
  }));

/** Two rows of ten marbles; marble n of a row is at 10 n, as is the n-th second. */
export const layoutOf = (own: Partial<Layout> = {}): Layout => ({
  rows: rowsOf(2),
  perColumn: 1,
  clusters: [],
  gutter: 162,
  endX: 110,
  height: 478,
  placeOf: (i) => ({ row: Math.floor(i / 10), x: (i % 10) * 10 }),
  placeOfMs: (ms) => ({ row: Math.floor(ms / 10_000), x: (ms % 10_000) / 100 }),
  ...own,
});
