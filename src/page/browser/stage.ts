/** Owns drawing the part of the session that is seen; what is not seen is not drawn. */

import { type Pile, toPiles } from '../clusters';
import { MARKS, OUTCOMES } from '../data';
import type { Model } from '../model';
import type { State } from '../state';
import { firstAt, placeOf } from '../track';
import { EDGE, fromPixel, toPixel } from '../view';
import { byId, svg } from './dom';
import { bandY, type Places, placesOf } from './lanes';
import { rulerOf } from './ruler';
import { marbleShape, pileShape, pileWidth, RADIUS } from './shapes';

/** Nearer than this to the first of a pile, a marble belongs to it. */
const GAP = RADIUS * 1.9;

/** Draws the stage of a state. */
export const drawStage = (model: Model, state: State): void => {
  const stage = byId<SVGSVGElement>('stage');
  const places = placesOf(model, state);
  stage.setAttribute('height', String(places.height));
  stage.setAttribute('viewBox', `0 0 ${Math.max(1, state.view.width)} ${places.height}`);
  stage.replaceChildren(
    ...rulerOf(model, state, places.height),
    svg('g', { class: 'spans' }, ...spansOf(model, state, places)),
    svg('g', {}, ...places.places.map(({ lane, y }) => wireOf(model, state, lane, y))),
    svg('g', { class: state.query === '' ? '' : 'searching' }, ...marblesOf(model, state, places)),
  );
  const selected = state.selected;
  const drawn = selected === undefined ? null : stage.querySelector('.selected');
  if (drawn) stage.setAttribute('aria-activedescendant', drawn.id);
  else stage.removeAttribute('aria-activedescendant');
  drawNames(model, places);
};

/** The names beside the wires. */
const drawNames = ({ lanes, laneCounts }: Model, { places, height }: Places): void => {
  const names = byId<SVGSVGElement>('names');
  names.setAttribute('height', String(height));
  names.replaceChildren(
    ...places.map(({ lane, y }) => {
      const { title = '', group = 'log' } = lanes[lane] ?? {};
      return svg(
        'g',
        { class: group, transform: `translate(0 ${y})` },
        svg('circle', { class: 'disc', cx: 16, r: 6 }),
        svg('text', { class: 'name', x: 30, y: 4.5 }, title),
        svg('title', {}, `${title}: ${laneCounts[lane]} marbles`),
      );
    }),
  );
};

/** A line with an arrow head while it goes on, a bar where its side ended, a cross where the server failed. */
const wireOf = (model: Model, state: State, lane: number, y: number): SVGElement => {
  const { ends, lanes } = model;
  const { view, track } = state;
  const group = lanes[lane]?.group;
  const end = group === 'request' && ends.client >= 0 ? ends.client : group === 'log' ? -1 : ends.server;
  const endX = end < 0 ? Number.POSITIVE_INFINITY : toPixel(view, placeOf(track, end));
  const lastX = toPixel(view, track.length) + EDGE - 12;
  const tipX = Math.min(view.width - 4, Math.max(lastX, EDGE));
  if (endX > tipX) {
    return svg(
      'g',
      { class: 'wire' },
      svg('path', { d: `M0 ${y}H${tipX - 8}` }),
      svg('path', { class: 'tip', d: `M${tipX} ${y}l-12-5.5v11z` }),
    );
  }
  const bad = !ends.ok && group !== 'request';
  const d = bad ? `M${endX - 7} ${y - 7}l14 14m0-14l-14 14` : `M${endX} ${y - 11}v22`;
  return svg(
    'g',
    { class: 'wire' },
    endX > 0 ? svg('path', { d: `M0 ${y}H${endX}` }) : '',
    svg('path', { class: bad ? 'cross' : 'bar', d }),
  );
};

const marblesOf = (model: Model, state: State, { yOf }: Places): SVGElement[] => {
  const { track, selected } = state;
  const at = (k: number): number => track.shown[k] ?? 0;
  const isFound = finder(state);
  return pilesOf(model, state).map((pile) => {
    const [first, last] = [at(pile.first), at(pile.last)] as const;
    const chosen = selected !== undefined && isIn(model, state, pile, selected);
    const found = isFound(first, last, pile.lane, model.marbles);
    const classes = `${chosen ? ' selected' : ''}${found ? ' found' : ''}`;
    const shape =
      pile.count === 1 ? marbleShape(model, first, classes) : pileShape(model, pile, [first, last], classes);
    if (chosen) shape.setAttribute('aria-selected', 'true');
    shape.setAttribute('transform', `translate(${Math.round(pile.x * 10) / 10} ${yOf.get(pile.lane) ?? 0})`);
    return shape;
  });
};

/** Piles have room for their numbers. */
const pilesOf = ({ marbles }: Model, { track, view }: State): Pile[] => {
  const at = (k: number): number => track.shown[k] ?? 0;
  const from = firstAt(track, fromPixel(view, -RADIUS * 2));
  const to = firstAt(track, fromPixel(view, view.width + RADIUS * 2));
  const look = {
    laneOf: (k: number) => marbles.lane[at(k)] ?? 0,
    xOf: (k: number) => toPixel(view, track.xs[k] ?? 0),
    badOf: (k: number) => MARKS[marbles.mark[at(k)] ?? 0] === 'error',
  };
  const piles = toPiles([from, to], look, GAP);
  const widest = piles.reduce((most, { count }) => Math.max(most, count === 1 ? 0 : pileWidth(count)), 0);
  return widest < GAP ? piles : toPiles([from, to], look, widest + GAP / 2);
};

const isIn = ({ marbles }: Model, { track }: State, { first, last, lane }: Pile, marble: number): boolean => {
  const rank = track.rank[marble] ?? -1;
  return rank >= first && rank <= last && marbles.lane[marble] === lane;
};

/** Whether a marble of a lane from one to another was found. */
const finder = ({ hits }: State) => {
  const after = (marble: number): number => {
    let [low, high] = [0, hits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((hits[middle] ?? 0) < marble) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (first: number, last: number, lane: number, marbles: Model['marbles']): boolean => {
    for (let i = after(first); i < hits.length && (hits[i] ?? 0) <= last; i += 1) {
      if (marbles.lane[hits[i] ?? 0] === lane) return true;
    }
    return false;
  };
};

/** Calls that are seen: a band below the lane of the question, a dotted line to the answer. Those too short to see are left out. */
const spansOf = (model: Model, state: State, { yOf }: Places): SVGElement[] => {
  const { spans, marbles, lanes } = model;
  const { view, track, selected } = state;
  const drawn = new Set<string>();
  return spans.flatMap(([from, to, outcome, tier]) => {
    if ((track.rank[from] ?? -1) < 0) return [];
    const x1 = toPixel(view, placeOf(track, from));
    if (x1 > view.width) return [];
    const x2 = to < 0 ? Math.min(toPixel(view, track.length), view.width) : toPixel(view, placeOf(track, to));
    if (x2 < 0 || x2 - x1 < 2) return [];
    const lane = marbles.lane[from] ?? 0;
    const y = bandY(yOf.get(lane) ?? 0, tier);
    const [left, right] = [Math.max(x1, -10), Math.min(x2, view.width + 10)];
    const key = `${Math.round(left)} ${Math.round(right)} ${y}`;
    if (drawn.has(key)) return [];
    drawn.add(key);
    const answerY = to < 0 || (track.rank[to] ?? -1) < 0 ? undefined : yOf.get(marbles.lane[to] ?? 0);
    const drop = answerY !== undefined && answerY > y && x2 <= view.width + 10;
    const chosen = selected === from || selected === to ? ' chosen' : '';
    return [
      svg(
        'g',
        { class: `${lanes[lane]?.group} span ${OUTCOMES[outcome]}${chosen}` },
        svg('path', { class: 'band', d: `M${left} ${y}H${right}` }),
        drop ? svg('path', { class: 'drop', d: `M${x2} ${y + 4}V${answerY - RADIUS - 2}` }) : '',
      ),
    ];
  });
};
