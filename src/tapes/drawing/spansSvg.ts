/** Draws the calls of a row: a band below the lane of the request, a dotted line down to the response. */
import type { Chart, Span } from '../diagram/chart';
import type { Layout } from './layout';
import { ROW } from './layout';
import { tag } from './xml';

/** Of more calls than this the shortest are left out. */
const MAX_SPANS = 1000;

/** The calls of a row. Those that would be drawn the same are drawn once. */
export const spansSvg = (chart: Chart, layout: Layout, row: number): string =>
  [...new Set(longest(chart.spans, layout).map((span) => spanSvg({ chart, layout, row }, span)))].join('');

const longest = (spans: readonly Span[], { perColumn }: Layout): readonly Span[] => {
  if (spans.length <= MAX_SPANS) return spans;
  const lengthOf = ({ from, to }: Span): number => (to ?? Number.POSITIVE_INFINITY) - from;
  return [...spans]
    .filter((span) => lengthOf(span) > perColumn)
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, MAX_SPANS);
};

type Row = { chart: Chart; layout: Layout; row: number };

const spanSvg = ({ chart, layout, row }: Row, { from, to, outcome, tier }: Span): string => {
  const start = layout.placeOf(from);
  const end = to === undefined ? { row: layout.rows.length - 1, x: layout.endX } : layout.placeOf(to);
  if (row < start.row || row > end.row) return '';
  const lane = chart.marbles[from]?.lane ?? 0;
  const laneY = layout.rows[row]?.laneY;
  const y = (laneY?.get(lane) ?? 0) + 15 + tier * ROW.tier;
  const x1 = row === start.row ? start.x : layout.gutter;
  const x2 = row === end.row ? end.x : layout.endX + 8;
  const endLane = to === undefined || row !== end.row ? lane : (chart.marbles[to]?.lane ?? lane);
  const drop =
    endLane > lane ? tag('path', { class: 'drop', d: `M${x2} ${y + 3}V${(laneY?.get(endLane) ?? 0) - 11}` }) : '';
  const band = tag('path', { class: `span ${outcome}`, d: `M${x1} ${y}H${Math.max(x2, x1 + 1)}` });
  return tag('g', { class: chart.lanes[lane]?.group ?? '' }, band, drop);
};
