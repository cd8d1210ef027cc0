/** Draws one marble, or a cluster of them, around the point 0,0. */
import type { Chart, ChartMarble } from '../diagram/chart';
import type { Cluster } from '../page/clusters';
import { durationOf, toShortCount } from '../page/labels';
import { escapeXml, tag } from './xml';

const RADIUS = 10.5;
const MAX_TITLE = 200;

/** The tooltip of a marble, as XML. */
const titleOf = ({ entries }: Chart, { name, atMs, first, count, symbol }: ChartMarble): string => {
  const numbered = entries[first];
  const line = numbered?.entry.line ?? '';
  const lines = count > 1 ? `${count} messages from line ${numbered?.lineNumber}` : `line ${numbered?.lineNumber}`;
  const shown = line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)} …` : line;
  return `${escapeXml(`${symbol} ${name} · ${durationOf(atMs)} · ${lines}`)}\n${escapeXml(shown)}`;
};

const CROSS = tag('path', { class: 'x', d: 'M-5.5-5.5 5.5 5.5M-5.5 5.5 5.5-5.5' });
const circle = (extra: string, at = 0): string => tag('circle', { class: `m${extra}`, r: RADIUS, cx: at, cy: at });

const shapeOf = ({ mark, symbol, count }: ChartMarble): string => {
  const letter = tag('text', { class: 'l', y: 4.2 }, escapeXml(symbol));
  if (mark === 'error') return circle('') + CROSS;
  if (mark === 'end') return circle('') + tag('path', { class: 'stop', d: 'M0-6V6' });
  if (mark === 'odd') return tag('rect', { class: 'm', x: -9, y: -9, width: 18, height: 18, rx: 3 }) + letter;
  if (mark === 'cancel') return circle(' c') + letter;
  return (count > 1 ? circle('', 2.6) : '') + circle('') + letter;
};

/** The width of a pill with this number, in pixels. */
export const pillWidth = (count: number): number => Math.max(22, toShortCount(count).length * 6.4 + 9);

/** A marble with its tooltip. Several marbles on one spot are a pill with their number, and a red dot if some are errors. */
export const marbleSvg = (chart: Chart, cluster: Cluster): string => {
  const marble = chart.marbles[cluster.first] as ChartMarble;
  if (cluster.count === 1) return tag('title', {}, titleOf(chart, marble)) + shapeOf(marble);
  const text = toShortCount(cluster.count);
  const width = pillWidth(cluster.count);
  const errors = cluster.bad === 0 ? '' : `, ${cluster.bad} of them errors`;
  const dot =
    cluster.bad === 0 || cluster.bad === cluster.count
      ? ''
      : tag('circle', { class: 'dot', cx: width / 2 - 2, cy: -8, r: 4 });
  const title = `${cluster.count} marbles${errors}, from line ${chart.entries[marble.first]?.lineNumber}`;
  return (
    tag('title', {}, title) +
    tag('rect', { class: 'm', x: -width / 2, y: -8.5, width, height: 17, rx: 8.5 }) +
    tag('text', { class: 'n', y: 3.6 }, text) +
    dot
  );
};
