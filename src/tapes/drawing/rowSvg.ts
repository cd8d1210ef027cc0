/** Draws one row of an SVG: times, calls, the names and wires of lanes, marbles with their names. */
import type { Chart, Span } from '../diagram/chart';
import { cutLabel, durationOf, type LabelSpace, niceStep, placeLabel, spaceAfter } from '../page/labels';
import type { LaneData } from '../page/model';
import { type Axis, type Layout, ROW, type Row, SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

/** A row with its place in the picture. */
export const rowSvg = (chart: Chart, layout: Layout, { row, axis }: { row: number; axis: Axis }): string =>
  tag(
    'g',
    { transform: `translate(0 ${layout.rows[row]?.top})` },
    rulerSvg(chart, layout, { row, axis }),
    spansSvg(chart, layout, row),
    wiresSvg(chart, layout, row),
    marblesSvg(chart, layout, row),
  );

/** The names and wires of a row. */
export const wiresSvg = (chart: Chart, layout: Layout, row: number): string => {
  const lanes = [...(layout.rows[row]?.laneY ?? [])];
  const drawn = lanes.map(([lane, y]) => {
    const data = chart.lanes[lane] as LaneData;
    return nameSvg(data, y, layout) + wireSvg(wireIn(chart, layout, { lane: data, row }), y, layout);
  });
  return [...drawn, endSvg(chart, layout, row)].join('');
};

/** A wire in a row, and where it goes to. `none`: it ended in a row above. */
type Wire = { kind: 'none' } | { kind: 'goesOn' | 'ended'; toX: number };

const wireIn = ({ ends, marbles }: Chart, layout: Layout, { lane, row }: { lane: LaneData; row: number }): Wire => {
  const end = lane.group === 'request' ? (ends.client ?? ends.server) : ends.server;
  const endAt = end === undefined ? undefined : layout.placeOf(end);
  if (endAt !== undefined && lane.group !== 'log') {
    if (endAt.row < row) return { kind: 'none' };
    if (endAt.row === row) return { kind: 'ended', toX: endAt.x };
  }
  const lastAt = layout.placeOf(Math.max(0, marbles.length - 1));
  return { kind: 'goesOn', toX: row === lastAt.row ? Math.min(layout.endX, lastAt.x + SIZE.step) : layout.endX };
};

const wireSvg = (wire: Wire, y: number, { gutter }: Layout): string => {
  if (wire.kind === 'none') return '';
  const { kind, toX } = wire;
  const line = tag('path', { class: 'wire', d: `M${gutter - 8} ${y}H${toX}` });
  if (kind === 'goesOn') return line + tag('path', { class: 'tip', d: `M${toX + 9} ${y}l-10-4.5v9z` });
  return line + tag('path', { class: 'stop', d: `M${toX} ${y - 10}v20` });
};

/** The end of the server: one line through its lanes; its marble shows how it ended. */
const endSvg = ({ ends, lanes }: Chart, layout: Layout, row: number): string => {
  const at = ends.server === undefined ? undefined : layout.placeOf(ends.server);
  if (at?.row !== row) return '';
  const own = [...(layout.rows[row]?.laneY ?? [])].filter(([lane]) => lanes[lane]?.group !== 'request');
  const [first, last] = [own[0]?.[1] ?? 0, own.at(-1)?.[1] ?? 0];
  return first < last ? tag('path', { class: 'close', d: `M${at.x} ${first - 10}V${last}` }) : '';
};

/** The name of a lane fills the gutter, without the dot before it and the space after it. */
const nameSvg = ({ title, group }: LaneData, y: number, { gutter }: Layout): string =>
  tag('circle', { class: `m ${group}`, cx: 20, cy: y, r: 4.5 }) +
  tag('text', { x: 32, y: y + 4 }, tag('title', {}, escapeXml(title)), escapeXml(cutLabel(title, gutter - 46) ?? ''));

/** Pixels from the middle of a marble to its name, and from the name to the next marble. */
const NAME = { before: 13, behind: 14 };

/** The marbles of a row, with their names if there is room. */
export const marblesSvg = (chart: Chart, layout: Layout, row: number): string => {
  const own = layout.clusters
    .map((cluster) => ({ ...cluster, ...layout.placeOf(cluster.first) }))
    .filter((cluster) => cluster.row === row && layout.rows[row]?.laneY.has(cluster.lane));
  const rooms = spaceAfter(own, layout.endX + SIZE.margin);
  return own
    .map((cluster, i) => {
      const { first, lane, count, bad, x } = cluster;
      const data = chart.lanes[lane] as LaneData;
      const at = `translate(${Math.round(x * 10) / 10} ${layout.rows[row]?.laneY.get(lane)})`;
      const wire = wireIn(chart, layout, { lane: data, row });
      const room = { room: rooms[i] ?? 0, bar: wire.kind === 'ended' ? wire.toX - x : undefined, ...NAME };
      const name = count > 1 ? '' : marbleNameSvg(chart.marbles[first]?.name ?? '', data.key, room);
      const classes = `${data.group}${bad === count ? ' bad' : ''}`;
      return tag('g', { class: classes, transform: at }, name, marbleSvg(chart, cluster));
    })
    .join('');
};

const marbleNameSvg = (name: string, key: string, room: LabelSpace): string => {
  const label = placeLabel(name, key, room);
  return label === undefined ? '' : tag('text', { class: 'b', x: label.x, y: -5 }, escapeXml(label.text));
};

/** If there are more calls, the shortest are left out. */
const MAX_SPANS = 1000;

/** The calls of a row: a band below the lane of the request, a dotted line down to the response. Equal drawings are drawn once. */
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

type InRow = { chart: Chart; layout: Layout; row: number };

const spanSvg = ({ chart, layout, row }: InRow, { from, to, outcome, tier }: Span): string => {
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

/** A pause at least this long is labelled. */
const PAUSE_MS = 200;
/** Pixels that a time needs. */
const ROOM = 64;

/** The times above a row: its pauses, or marks of the clock. */
export const rulerSvg = (chart: Chart, layout: Layout, { row, axis }: { row: number; axis: Axis }): string =>
  axis === 'linear' ? clockSvg(chart, layout, row) : pausesSvg(chart, layout, row);

const clockSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const stepMs = niceStep(lastMs / (layout.rows.length * 8));
  const ticks = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, i) => i * stepMs);
  return ticks
    .map((ms) => ({ ms, place: layout.placeOfMs(ms) }))
    .filter(({ place }) => place.row === row)
    .map(({ ms, place: { x } }) => tickSvg(layout.rows[row], x, { kind: 'tick', text: durationOf(ms) }))
    .join('');
};

const pausesSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const drawn: string[] = [];
  let freeX = 0;
  marbles.forEach(({ atMs }, i) => {
    const before = marbles[i - 1]?.untilMs ?? atMs;
    if (i % layout.perColumn !== 0 || atMs - before < PAUSE_MS) return;
    const { row: own, x } = layout.placeOf(i);
    if (own !== row || x < freeX) return;
    freeX = x + ROOM;
    drawn.push(tickSvg(layout.rows[row], x - SIZE.step / 2, { kind: 'pause', text: `+ ${durationOf(atMs - before)}` }));
  });
  return drawn.join('');
};

const tickSvg = (row: Row | undefined, x: number, { kind, text }: { kind: 'tick' | 'pause'; text: string }): string =>
  tag('path', { class: kind, d: `M${Math.round(x)} ${ROW.ruler - 6}V${(row?.height ?? 0) - ROW.gap}` }) +
  tag('text', { class: 'q s', x, y: ROW.ruler - 11, 'text-anchor': 'middle' }, text);
