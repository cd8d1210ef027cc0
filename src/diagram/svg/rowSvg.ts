/** Owns drawing one row: names of lanes, wires with arrow heads, bars where a side ends, calls, marbles. */
import { GROUPS, type LaneData } from '../../page';
import type { Chart, Span } from '../chart';
import { durationOf } from '../sessionFacts';
import { type Axis, type Layout, SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

/** From here on a pause is written above. */
const PAUSE_MS = 200;
const MAX_NAME = 19;

const cut = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text);

/** What is drawn of the wires in a row. */
export const wiresSvg = (chart: Chart, layout: Layout, row: number): string =>
  chart.lanes.map((lane, i) => wireSvg(chart, layout, row, { lane, y: layout.laneY[i] ?? 0 })).join('');

const wireSvg = (chart: Chart, layout: Layout, row: number, { lane, y }: { lane: LaneData; y: number }): string => {
  const { ends, marbles } = chart;
  const stop = lane.group === 'request' ? (ends.client ?? ends.server) : ends.server;
  const stopAt = stop === undefined ? undefined : layout.placeOf(stop);
  if (stopAt !== undefined && stopAt.row < row) return nameSvg(lane, y);
  const lastAt = layout.placeOf(Math.max(0, marbles.length - 1));
  const ending = stopAt?.row === row && lane.group !== 'log';
  const open = row === lastAt.row ? Math.min(layout.endX, lastAt.x + SIZE.step) : layout.endX;
  const toX = ending ? (stopAt?.x ?? open) : open;
  const wire = tag('path', { class: 'wire', d: `M${SIZE.gutter - 8} ${y}H${toX}` });
  if (!ending) return nameSvg(lane, y) + wire + tag('path', { class: 'tip', d: `M${toX + 9} ${y}l-10-4.5v9z` });
  const bad = !ends.ok && lane.group !== 'request';
  const end = bad
    ? tag('path', { class: 'x', d: `M${toX - 6} ${y - 6}l12 12m0-12l-12 12` })
    : tag('path', { class: 'stop', d: `M${toX} ${y - 10}v20` });
  return nameSvg(lane, y) + wire + end;
};

const nameSvg = ({ title, group }: LaneData, y: number): string =>
  tag('circle', { class: `m ${group}`, cx: 20, cy: y, r: 4.5 }) +
  tag('text', { x: 32, y: y + 4 }, tag('title', {}, escapeXml(title)), escapeXml(cut(title)));

/** The marbles of a row. */
export const marblesSvg = (chart: Chart, layout: Layout, row: number): string =>
  layout.piles
    .filter(({ first, lane }) => layout.placeOf(first).row === row && lane < chart.lanes.length)
    .map((pile) => {
      const { mark } = chart.marbles[pile.first] ?? {};
      const group = chart.lanes[pile.lane]?.group ?? GROUPS[0];
      const bad = pile.bad && (pile.count > 1 || mark === 'error') ? ' bad' : '';
      const { x } = layout.placeOf(pile.first);
      const at = `translate(${Math.round(x * 10) / 10} ${layout.laneY[pile.lane]})`;
      return tag('g', { class: `${group}${bad}`, transform: at }, marbleSvg(chart, pile));
    })
    .join('');

/** The calls of a row: a band below the lane of the question, a dotted line down to the answer. */
export const spansSvg = (chart: Chart, layout: Layout, row: number): string =>
  [...new Set(longest(chart.spans, layout).map((span) => spanSvg(chart, layout, row, span)))].join('');

/** More calls than this are not drawn: the shortest go. */
const MAX_SPANS = 1000;

const longest = (spans: readonly Span[], { perColumn }: Layout): readonly Span[] => {
  if (spans.length <= MAX_SPANS) return spans;
  const lengthOf = ({ from, to }: Span): number => (to ?? Number.POSITIVE_INFINITY) - from;
  return [...spans]
    .filter((span) => lengthOf(span) > perColumn)
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, MAX_SPANS);
};

const spanSvg = (chart: Chart, layout: Layout, row: number, { from, to, outcome, tier }: Span): string => {
  const start = layout.placeOf(from);
  const end = to === undefined ? { row: layout.rows - 1, x: layout.endX } : layout.placeOf(to);
  if (row < start.row || row > end.row) return '';
  const lane = chart.marbles[from]?.lane ?? 0;
  const y = (layout.laneY[lane] ?? 0) + 15 + tier * SIZE.tier;
  const x1 = row === start.row ? start.x : SIZE.gutter;
  const x2 = row === end.row ? end.x : layout.endX + 8;
  const answerLane = to === undefined || row !== end.row ? lane : (chart.marbles[to]?.lane ?? lane);
  const drop =
    answerLane > lane
      ? tag('path', { class: 'drop', d: `M${x2} ${y + 3}V${(layout.laneY[answerLane] ?? 0) - 11}` })
      : '';
  const band = tag('path', { class: `span ${outcome}`, d: `M${x1} ${y}H${Math.max(x2, x1 + 1)}` });
  return tag('g', { class: chart.lanes[lane]?.group ?? '' }, band, drop);
};

/** Times above a row: its start, pauses, or marks of the clock. */
export const rulerSvg = (chart: Chart, layout: Layout, row: number, axis: Axis): string =>
  axis === 'linear' ? clockSvg(chart, layout, row) : pausesSvg(chart, layout, row);

const clockSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const stepMs = niceStep(lastMs / (layout.rows * 8));
  const ticks = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, i) => i * stepMs);
  return ticks
    .map((ms) => ({ ms, place: layout.placeOfMs(ms) }))
    .filter(({ place }) => place.row === row)
    .map(({ ms, place: { x } }) => tickSvg('tick', layout, x, durationOf(ms)))
    .join('');
};

const niceStep = (roughMs: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(roughMs, 0.001)));
  return ([1, 2, 5].find((nice) => nice * power >= roughMs) ?? 10) * power;
};

const pausesSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const drawn: string[] = [];
  let freeX = 0;
  marbles.forEach(({ atMs }, i) => {
    const before = marbles[i - 1]?.untilMs ?? atMs;
    if (i % layout.perColumn !== 0 || atMs - before < PAUSE_MS) return;
    const { row: own, x } = layout.placeOf(i);
    if (own !== row || x < freeX) return;
    freeX = x + 64;
    drawn.push(tickSvg('pause', layout, x - SIZE.step / 2, `+ ${durationOf(atMs - before)}`));
  });
  return drawn.join('');
};

const tickSvg = (kind: string, { rowHeight }: Layout, x: number, text: string): string =>
  tag('path', { class: kind, d: `M${Math.round(x)} ${SIZE.ruler - 6}V${rowHeight - SIZE.gap}` }) +
  tag('text', { class: 'q s', x, y: SIZE.ruler - 11, 'text-anchor': 'middle' }, text);
