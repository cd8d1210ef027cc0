/** Draws one marble, or a cluster of them. */
import type { Cluster } from '../clusters';
import { toMoment, toShortCount } from '../labels';
import { lineName, MARKS, type Model, nameOf } from '../model';
import { svg } from './dom';

/** The radius of a marble, in pixels. */
export const RADIUS = 12;

const CROSS = 'M-6-6 6 6M-6 6 6-6';

/** The text of a marble for screen readers. */
export const labelOf = (model: Model, i: number): string => {
  const { marbles, lanes } = model;
  const count = marbles.count[i] ?? 1;
  const mark = MARKS[marbles.mark[i] ?? 0] ?? 'plain';
  const parts = [
    nameOf(model, i),
    lanes[marbles.lane[i] ?? 0]?.title,
    mark === 'plain' ? undefined : { error: 'error', cancel: 'cancel', odd: 'no message', end: 'end' }[mark],
    count > 1 ? `${count} messages` : undefined,
    `at ${toMoment(marbles.at[i] ?? 0, model.story?.originMs)}`,
    lineName(model, marbles.first[i] ?? 0),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
};

const shapesOf = ({ marbles }: Model, i: number): SVGElement[] => {
  const mark = MARKS[marbles.mark[i] ?? 0];
  const letter = () => svg('text', { class: 'letter', y: 4.6, 'aria-hidden': 'true' }, marbles.symbol.charAt(i));
  const disc = (at = 0, extra = '') => svg('circle', { class: `disc${extra}`, r: RADIUS, cx: at, cy: at });
  switch (mark) {
    case 'error':
      return [disc(), svg('path', { class: 'cross', d: CROSS })];
    case 'cancel':
      return [disc(0, ' dashed'), letter()];
    case 'odd':
      return [svg('rect', { class: 'disc', x: -11, y: -11, width: 22, height: 22, rx: 4 }), letter()];
    case 'end':
      return [disc(), svg('path', { class: 'bar', d: 'M0-6.5V6.5' })];
    default:
      return (marbles.count[i] ?? 1) > 1 ? [disc(3), disc(), letter()] : [disc(), letter()];
  }
};

/**
 * One marble.
 * @param state classes of a selected or found marble
 */
export const marbleShape = (model: Model, i: number, state: string): SVGGElement => {
  const { marbles, lanes } = model;
  const group = lanes[marbles.lane[i] ?? 0]?.group ?? 'log';
  const bad = MARKS[marbles.mark[i] ?? 0] === 'error' ? ' bad' : '';
  const label = labelOf(model, i);
  return svg(
    'g',
    { class: `marble ${group}${bad}${state}`, id: `m${i}`, 'data-marble': i, role: 'option', 'aria-label': label },
    svg('circle', { class: 'halo', r: RADIUS + 4.5 }),
    ...shapesOf(model, i),
  );
};

const clusterLabel = ({ lanes }: Model, { count, bad, lane }: Cluster): string => {
  const errors = bad === 0 ? '' : `, ${bad} of them errors`;
  return `${count} marbles${errors}, ${lanes[lane]?.title}`;
};

/** The width of a cluster in pixels. */
export const clusterWidth = (count: number): number => Math.max(26, toShortCount(count).length * 7.4 + 12);

/** A cluster, and its count as a part of the fullest in view. */
type Drawn = Cluster & { part: number };

/** Pixels: the height of an almost empty cluster, and what the fullest has more. */
const PILL = { least: 16, more: 12 };

/**
 * Several marbles on one spot, the higher the more. `first` and `last` of the cluster are indexes of marbles.
 * @param state classes as for a marble
 */
export const clusterShape = (model: Model, cluster: Drawn, state: string): SVGGElement => {
  const { first, last } = cluster;
  const group = model.lanes[cluster.lane]?.group ?? 'log';
  const text = toShortCount(cluster.count);
  const width = clusterWidth(cluster.count);
  const height = PILL.least + Math.round(Math.sqrt(cluster.part) * PILL.more);
  const label = clusterLabel(model, cluster);
  return svg(
    'g',
    {
      class: `cluster ${group}${cluster.bad === cluster.count ? ' bad' : ''}${state}`,
      id: `m${first}`,
      role: 'option',
      'aria-label': label,
      'data-first': first,
      'data-last': last,
    },
    svg('rect', { class: 'halo', ...pillOf(width + 8, height + 8) }),
    svg('rect', { class: 'disc', ...pillOf(width, height) }),
    svg('text', { class: 'many', y: 4, 'aria-hidden': 'true' }, text),
    cluster.bad > 0 && cluster.bad < cluster.count
      ? svg('circle', { class: 'dot', cx: width / 2 - 2, cy: -9, r: 4.5 })
      : '',
  );
};

const pillOf = (width: number, height: number) => ({ x: -width / 2, y: -height / 2, width, height, rx: height / 2 });
