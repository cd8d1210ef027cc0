/** Draws only the part of the session that is in view. */
import { type Cluster, toClusters } from '../clusters';
import { type LabelSpace, niceStep, placeLabel, spaceAfter, toMoment, toTime } from '../labels';
import { isOpen, MARKS, type Model, nameOf, OUTCOMES, tookOf } from '../model';
import type { State } from '../state';
import { firstAt, hasHit, placeOf } from '../track';
import { fromPixel, toPixel } from '../view';
import { byId, svg } from './dom';
import { bandY, closeOf, drawNames, type Places, placesOf, RULER, wireOf, wireTo } from './lanes';
import { clusterShape, clusterWidth, marbleShape, RADIUS } from './shapes';

/** Draws the stage of a state. */
export const drawStage = (model: Model, state: State): void => {
  const stage = byId<SVGSVGElement>('stage');
  const places = placesOf(model, state);
  stage.setAttribute('height', String(places.height));
  stage.setAttribute('viewBox', `0 0 ${Math.max(1, state.view.width)} ${places.height}`);
  stage.replaceChildren(
    ...rulerOf(model, state, places.height),
    svg('g', { class: 'spans' }, ...spansOf(model, state, places), ...linksOf(model, state, places)),
    svg(
      'g',
      {},
      closeOf(model, state, places),
      ...places.places.map(({ lane, y }) => wireOf(wireTo(model, state, lane), y)),
    ),
    svg('g', { class: state.query === '' ? '' : 'searching' }, ...marblesOf(model, state, places)),
  );
  const drawn = stage.querySelector('.selected');
  if (drawn) stage.setAttribute('aria-activedescendant', drawn.id);
  else stage.removeAttribute('aria-activedescendant');
  drawNames(model, places);
};

/** A pause at least this long is labelled. */
const PAUSE_MS = 200;
/** Pixels that a time needs. */
const ROOM = 96;

/** The ruler of the window, as elements. */
const rulerOf = (model: Model, state: State, height: number): SVGElement[] => {
  if (state.track.axis === 'linear') return clockMarks(model, state, height);
  const pauses = pausesOf(model, state);
  return [
    ...pauses.map(({ x, ms }) => mark('pause', { x, text: `+ ${toTime(ms)}` }, height)),
    ...columnTimes(model, state, pauses),
  ];
};

const mark = (kind: 'pause' | 'tick', { x, text }: { x: number; text: string }, height: number): SVGElement =>
  svg(
    'g',
    { class: kind, transform: `translate(${Math.round(x)} 0)` },
    svg('path', { d: `M0 ${RULER - 8}V${height - 10}` }),
    svg('text', { y: RULER - 13 }, text),
  );

const clockMarks = ({ story }: Model, { view, track }: State, height: number): SVGElement[] => {
  const step = niceStep((view.span / Math.max(1, view.width)) * ROOM);
  const from = Math.ceil(Math.max(0, fromPixel(view, 0)) / step);
  const to = Math.floor(Math.min(track.length, fromPixel(view, view.width)) / step);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => {
    const ms = (from + i) * step;
    return mark('tick', { x: toPixel(view, ms), text: toMoment(ms, story?.originMs) }, height);
  });
};

type Pause = { x: number; ms: number };

/** The times of some columns without a labelled pause. */
const columnTimes = ({ marbles, story }: Model, { view, track }: State, taken: readonly Pause[]): SVGElement[] => {
  const step = Math.max(1, Math.ceil(((view.span / Math.max(1, view.width)) * ROOM) / 5) * 5);
  const from = Math.ceil(Math.max(0, view.start) / step) * step;
  const times: SVGElement[] = [];
  for (let k = from; k < track.shown.length && k <= view.start + view.span; k += step) {
    const x = Math.round(toPixel(view, track.xs[k] ?? 0));
    if (taken.some((pause) => Math.abs(pause.x - x) < ROOM * 0.75)) continue;
    const text = toMoment(marbles.at[track.shown[k] ?? 0] ?? 0, story?.originMs);
    times.push(svg('text', { class: 'time', x, y: RULER - 13 }, text));
  }
  return times;
};

/** With fewer pixels between columns, pauses are not labelled. */
const MIN_STEP = 8;

/** The pauses between columns in view with room for their time. */
const pausesOf = ({ marbles }: Model, { view, track }: State): Pause[] => {
  const found: Pause[] = [];
  if (view.width / view.span < MIN_STEP) return found;
  const to = firstAt(track, view.start + view.span);
  for (let k = Math.max(1, firstAt(track, view.start)); k < to; k += 1) {
    const before = marbles.until[track.shown[k - 1] ?? 0] ?? 0;
    const ms = (marbles.at[track.shown[k] ?? 0] ?? 0) - before;
    const x = Math.round(toPixel(view, (track.xs[k] ?? 0) - 0.5));
    if (ms >= PAUSE_MS && x - (found.at(-1)?.x ?? Number.NEGATIVE_INFINITY) > ROOM * 0.75) found.push({ x, ms });
  }
  return found;
};

/** Pixels: a marble nearer than this to the first of a cluster belongs to it. */
const GAP = RADIUS * 1.9;

/** Pixels of the arrow head at the end of a wire. */
const TIP = 6;
/** Pixels from the middle of a marble to its name, and from the name to the next marble. */
const NAME = { before: RADIUS + 3, behind: RADIUS + 5 };

/** The marbles within the window, as elements. */
const marblesOf = (model: Model, state: State, { yOf }: Places): SVGElement[] => {
  const at = (rank: number): number => state.track.shown[rank] ?? 0;
  const clusters = clustersOf(model, state);
  const rooms = spaceAfter(clusters, state.view.width - TIP);
  const most = clusters.reduce((max, { count }) => Math.max(max, count), 1);
  return clusters.flatMap((cluster, i) => {
    const range = { first: at(cluster.first), last: at(cluster.last), lane: cluster.lane };
    const isSelected = hasSelected(model, state, cluster);
    const isFound = hasHit(model, state.hits, range);
    const classes = `${isSelected ? ' selected' : ''}${isFound ? ' found' : ''}`;
    const transform = `translate(${Math.round(cluster.x * 10) / 10} ${yOf.get(cluster.lane) ?? 0})`;
    const shape =
      cluster.count === 1
        ? marbleShape(model, range.first, classes)
        : clusterShape(model, { ...cluster, ...range, part: cluster.count / most }, classes);
    if (isSelected) shape.setAttribute('aria-selected', 'true');
    shape.setAttribute('transform', transform);
    if (cluster.count > 1) return [shape];
    const wire = wireTo(model, state, cluster.lane);
    const bar = wire.kind === 'ended' ? wire.x - cluster.x : undefined;
    const name = besideOf(model, range.first, { room: rooms[i] ?? 0, bar });
    const own = { class: isFound ? 'label hit' : 'label', 'data-label': range.first, 'aria-hidden': 'true', transform };
    return name === undefined ? [shape] : [svg('g', own, name), shape];
  });
};

/** The name next to a marble, if there is room for it. */
const besideOf = (model: Model, marble: number, room: Pick<LabelSpace, 'room' | 'bar'>): SVGElement | undefined => {
  const key = model.lanes[model.marbles.lane[marble] ?? 0]?.key ?? '';
  const label = placeLabel(nameOf(model, marble), key, { ...room, ...NAME });
  return label && svg('text', { class: 'beside', x: label.x, y: -5 }, label.text);
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

/** Links between lanes, as elements; equal drawings are drawn once. */
const linksOf = ({ story, marbles }: Model, { track, view, selected }: State, { yOf }: Places): SVGElement[] => {
  const drawn = new Set<string>();
  return (story?.links ?? []).flatMap(([from, to]) => {
    const [x, endX] = [toPixel(view, placeOf(track, from)), toPixel(view, placeOf(track, to))];
    const [y, endY] = [yOf.get(marbles.lane[from] ?? 0), yOf.get(marbles.lane[to] ?? 0)];
    const isHidden =
      (track.rank[from] ?? -1) < 0 || (track.rank[to] ?? -1) < 0 || y === undefined || endY === undefined;
    if (isHidden || Math.max(x, endX) < 0 || Math.min(x, endX) > view.width) return [];
    const d = `M${Math.round(x)} ${y}C${Math.round(x)} ${endY} ${Math.round(endX)} ${y} ${Math.round(endX)} ${endY}`;
    if (drawn.has(d)) return [];
    drawn.add(d);
    const chosen = selected === from || selected === to ? ' chosen' : '';
    return [svg('path', { class: `link${chosen}`, d })];
  });
};

/** A band narrower than this is not drawn. */
const MIN_BAND_PX = 2;

/** The calls as elements. Bands that are too short to see are left out; equal drawings are drawn once. */
const spansOf = (model: Model, state: State, places: Places): SVGElement[] => {
  const drawn = new Set<string>();
  return model.spans.flatMap((span) => {
    const band = bandOf(model, state, span);
    if (band === undefined) return [];
    const y = bandY(places.yOf.get(band.lane) ?? 0, span[3]);
    const key = `${Math.round(band.left)} ${Math.round(band.right)} ${y}`;
    if (drawn.has(key)) return [];
    drawn.add(key);
    return [shapeOf(model, { span, band, y, endY: endYOf(model, state, { span, places }) }, state)];
  });
};

type Span = Model['spans'][number];
/** Pixels. */
type Band = {
  lane: number;
  /** Where the part in view begins. */
  left: number;
  /** Where the part in view ends. */
  right: number;
  /** Where the call ends. */
  endX: number;
};

const bandOf = ({ marbles }: Model, { view, track }: State, [from, to]: Span): Band | undefined => {
  if ((track.rank[from] ?? -1) < 0) return undefined;
  const startX = toPixel(view, placeOf(track, from));
  if (startX > view.width) return undefined;
  const endX = to < 0 ? Math.min(toPixel(view, track.length), view.width) : toPixel(view, placeOf(track, to));
  if (endX < 0 || endX - startX < MIN_BAND_PX) return undefined;
  const [left, right] = [Math.max(startX, -10), Math.min(endX, view.width + 10)];
  return { lane: marbles.lane[from] ?? 0, left, right, endX };
};

/** The height of the response's wire; undefined if it is hidden. */
const endYOf = ({ marbles }: Model, { track }: State, { span: [, to], places }: { span: Span; places: Places }) =>
  to < 0 || (track.rank[to] ?? -1) < 0 ? undefined : places.yOf.get(marbles.lane[to] ?? 0);

type Drawing = { span: Span; band: Band; y: number; endY: number | undefined };

const shapeOf = (model: Model, { span, band, y, endY }: Drawing, { selected, view }: State): SVGElement => {
  const [from, to, outcome] = span;
  const took = isOpen(outcome) ? 0 : (tookOf(model, from, to) ?? 0);
  const slow = took >= model.slowMs ? ' slow' : '';
  const drop = endY !== undefined && endY > y && band.endX <= view.width + 10;
  const chosen = selected === from || selected === to ? ' chosen' : '';
  return svg(
    'g',
    { class: `${model.lanes[band.lane]?.group} span ${OUTCOMES[outcome]}${slow}${chosen}` },
    svg('path', { class: 'band', d: `M${band.left} ${y}H${band.right}` }),
    slow !== '' && band.right - band.left > ROOM
      ? svg('text', { class: 'took', x: (band.left + band.right) / 2, y: y + 4 }, toTime(took))
      : '',
    drop ? svg('path', { class: 'drop', d: `M${band.endX} ${y + 4}V${endY - RADIUS - 2}` }) : '',
  );
};
