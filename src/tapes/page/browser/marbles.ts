/** Draws the marbles in view; overlapping marbles are drawn as clusters. */
import { type Cluster, toClusters } from '../clusters';
import { MARKS } from '../data';
import { type LabelSpace, placeLabel, spaceAfter } from '../labels';
import { type Model, nameOf } from '../model';
import type { State } from '../state';
import { firstAt, hasHit } from '../track';
import { fromPixel, toPixel } from '../view';
import { svg } from './dom';
import type { Places } from './lanes';
import { clusterShape, clusterWidth, marbleShape, RADIUS } from './shapes';
import { wireTo } from './wires';

/** Pixels: a marble nearer than this to the first of a cluster belongs to it. */
const GAP = RADIUS * 1.9;

/** Pixels of the arrow head at the end of a wire. */
const TIP = 6;
/** Pixels from the middle of a marble to its name, and from the name to the next marble. */
const NAME = { before: RADIUS + 3, behind: RADIUS + 5 };

/** The marbles within the window, as elements. */
export const marblesOf = (model: Model, state: State, { yOf }: Places): SVGElement[] => {
  const at = (rank: number): number => state.track.shown[rank] ?? 0;
  const clusters = clustersOf(model, state);
  const rooms = spaceAfter(clusters, state.view.width - TIP);
  return clusters.map((cluster, i) => {
    const range = { first: at(cluster.first), last: at(cluster.last), lane: cluster.lane };
    const isSelected = hasSelected(model, state, cluster);
    const classes = `${isSelected ? ' selected' : ''}${hasHit(model, state.hits, range) ? ' found' : ''}`;
    const shape =
      cluster.count === 1
        ? marbleShape(model, range.first, classes)
        : clusterShape(model, { ...cluster, ...range }, classes);
    if (isSelected) shape.setAttribute('aria-selected', 'true');
    shape.setAttribute('transform', `translate(${Math.round(cluster.x * 10) / 10} ${yOf.get(cluster.lane) ?? 0})`);
    const wire = wireTo(model, state, cluster.lane);
    const bar = wire.kind === 'ended' ? wire.x - cluster.x : undefined;
    if (cluster.count === 1) shape.prepend(...besideOf(model, range.first, { room: rooms[i] ?? 0, bar }));
    return shape;
  });
};

/** The name next to a marble, if there is room for it. */
const besideOf = (model: Model, marble: number, room: Pick<LabelSpace, 'room' | 'bar'>): SVGElement[] => {
  const key = model.lanes[model.marbles.lane[marble] ?? 0]?.key ?? '';
  const label = placeLabel(nameOf(model, marble), key, { ...room, ...NAME });
  return label === undefined ? [] : [svg('text', { class: 'beside', x: label.x, y: -5 }, label.text)];
};

/** Clusters by rank among the visible marbles, with room for their numbers. */
const clustersOf = ({ marbles }: Model, { track, view }: State): Cluster[] => {
  const at = (rank: number): number => track.shown[rank] ?? 0;
  const from = firstAt(track, fromPixel(view, -RADIUS * 2));
  const to = firstAt(track, fromPixel(view, view.width + RADIUS * 2));
  const look = {
    laneOf: (rank: number) => marbles.lane[at(rank)] ?? 0,
    xOf: (rank: number) => toPixel(view, track.xs[rank] ?? 0),
    badOf: (rank: number) => MARKS[marbles.mark[at(rank)] ?? 0] === 'error',
  };
  const clusters = toClusters([from, to], look, GAP);
  const widest = clusters.reduce((most, { count }) => Math.max(most, count === 1 ? 0 : clusterWidth(count)), 0);
  return widest < GAP ? clusters : toClusters([from, to], look, widest + GAP / 2);
};

const hasSelected = ({ marbles }: Model, { track, selected }: State, { first, last, lane }: Cluster): boolean => {
  if (selected === undefined) return false;
  const rank = track.rank[selected] ?? -1;
  return rank >= first && rank <= last && marbles.lane[selected] === lane;
};
