/** Draws the lanes of one row: their names, wires with arrow heads or ends, and marbles. */
import { GROUPS, type LaneData } from '../../page';
import type { Chart } from '../chart';
import { type Layout, SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

const MAX_NAME = 19;

const cut = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text);

/** The names and wires of a row. */
export const wiresSvg = (chart: Chart, layout: Layout, row: number): string =>
  chart.lanes
    .map((lane, i) => {
      const y = layout.laneY[i] ?? 0;
      return nameSvg(lane, y) + wireSvg(wireIn(chart, layout, { lane, row }), y);
    })
    .join('');

/** A wire in a row: where it goes to, and what is there. `none` is one that ended in a row above. */
type Wire = { kind: 'none' } | { kind: 'goesOn' | 'ended' | 'failed'; toX: number };

const wireIn = ({ ends, marbles }: Chart, layout: Layout, { lane, row }: { lane: LaneData; row: number }): Wire => {
  const end = lane.group === 'request' ? (ends.client ?? ends.server) : ends.server;
  const endAt = end === undefined ? undefined : layout.placeOf(end);
  if (endAt !== undefined && endAt.row < row) return { kind: 'none' };
  if (endAt?.row === row && lane.group !== 'log') {
    return { kind: !ends.ok && lane.group !== 'request' ? 'failed' : 'ended', toX: endAt.x };
  }
  const lastAt = layout.placeOf(Math.max(0, marbles.length - 1));
  return { kind: 'goesOn', toX: row === lastAt.row ? Math.min(layout.endX, lastAt.x + SIZE.step) : layout.endX };
};

const wireSvg = (wire: Wire, y: number): string => {
  if (wire.kind === 'none') return '';
  const { kind, toX } = wire;
  const line = tag('path', { class: 'wire', d: `M${SIZE.gutter - 8} ${y}H${toX}` });
  if (kind === 'goesOn') return line + tag('path', { class: 'tip', d: `M${toX + 9} ${y}l-10-4.5v9z` });
  if (kind === 'failed') return line + tag('path', { class: 'x', d: `M${toX - 6} ${y - 6}l12 12m0-12l-12 12` });
  return line + tag('path', { class: 'stop', d: `M${toX} ${y - 10}v20` });
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
