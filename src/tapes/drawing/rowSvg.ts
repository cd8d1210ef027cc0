/** Draws the lanes of one row: their names, wires with arrow heads or ends, and marbles with their names. */

import type { Chart } from '../diagram/chart';
import type { LaneData } from '../page/data';
import { cutLabel, type LabelSpace, placeLabel, spaceAfter } from '../page/labels';
import { type Layout, SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

/** The names and wires of a row. */
export const wiresSvg = (chart: Chart, layout: Layout, row: number): string => {
  const lanes = [...(layout.rows[row]?.laneY ?? [])];
  const drawn = lanes.map(([lane, y]) => {
    const data = chart.lanes[lane] as LaneData;
    return nameSvg(data, y, layout) + wireSvg(wireIn(chart, layout, { lane: data, row }), y, layout);
  });
  return [...drawn, endSvg(chart, layout, row)].join('');
};

/** A wire in a row: where it goes to. `none` is one that ended in a row above. */
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

/** Where the server ended, one line through its lanes; its marble shows how. */
const endSvg = ({ ends, lanes }: Chart, layout: Layout, row: number): string => {
  const at = ends.server === undefined ? undefined : layout.placeOf(ends.server);
  if (at?.row !== row) return '';
  const own = [...(layout.rows[row]?.laneY ?? [])].filter(([lane]) => lanes[lane]?.group !== 'request');
  const [first, last] = [own[0]?.[1] ?? 0, own.at(-1)?.[1] ?? 0];
  return first < last ? tag('path', { class: 'close', d: `M${at.x} ${first - 10}V${last}` }) : '';
};

/** The names of lanes have the gutter, without the dot before them and the space after. */
const nameSvg = ({ title, group }: LaneData, y: number, { gutter }: Layout): string =>
  tag('circle', { class: `m ${group}`, cx: 20, cy: y, r: 4.5 }) +
  tag('text', { x: 32, y: y + 4 }, tag('title', {}, escapeXml(title)), escapeXml(cutLabel(title, gutter - 46) ?? ''));

/** Pixels from the middle of a marble to its name, and from the name to the next marble. */
const BESIDE = { before: 13, behind: 14 };

/** The marbles of a row, with their names where there is room. */
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
      const room = { room: rooms[i] ?? 0, bar: wire.kind === 'ended' ? wire.toX - x : undefined, ...BESIDE };
      const name = count > 1 ? '' : besideSvg(chart.marbles[first]?.name ?? '', data.key, room);
      const classes = `${data.group}${bad === count ? ' bad' : ''}`;
      return tag('g', { class: classes, transform: at }, name, marbleSvg(chart, cluster));
    })
    .join('');
};

const besideSvg = (name: string, key: string, room: LabelSpace): string => {
  const label = placeLabel(name, key, room);
  return label === undefined ? '' : tag('text', { class: 'b', x: label.x, y: -5 }, escapeXml(label.text));
};
