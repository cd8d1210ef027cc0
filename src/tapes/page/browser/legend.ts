/** Draws the legend: each name once, with its marbles. */
import { legendEntries } from '../legendEntries';
import { type Model, nameOf } from '../model';
import { byId, html, svg } from './dom';
import { marbleShape } from './shapes';

const MAX_ENTRIES = 200;
/** Pixels: the width of a window up to which the legend starts closed, and the distance from marble to marble. */
const NARROW = 820;
const SIGN = 30;

/** Fills the legend when it is opened. */
export const fillLegend = (model: Model): void => {
  const legend = byId<HTMLDetailsElement>('legend');
  const list = legend.querySelector('div');
  legend.addEventListener('toggle', () => {
    if (!list || list.childElementCount > 0) return;
    const entries = legendEntries(differing(model));
    list.append(...entries.slice(0, MAX_ENTRIES).map(({ name, signs }) => entryOf(model, name, signs)));
    if (entries.length > MAX_ENTRIES) list.append(`and ${entries.length - MAX_ENTRIES} more names`);
  });
  legend.open = window.innerWidth > NARROW;
};

type Sign = { symbol: string; name: string; marble: number };

/** One marble of each look, lane by lane. */
const differing = (model: Model): Sign[] => {
  const { size, marbles } = model;
  const known = new Map<string, number>();
  for (let i = 0; i < size; i += 1) {
    const key = `${marbles.lane[i]} ${marbles.symbol.charAt(i)} ${marbles.name[i]}`;
    if (!known.has(key)) known.set(key, i);
  }
  return [...known.values()]
    .sort((a, b) => (marbles.lane[a] ?? 0) - (marbles.lane[b] ?? 0))
    .map((marble) => ({ symbol: marbles.symbol.charAt(marble), name: nameOf(model, marble), marble }));
};

const entryOf = (model: Model, name: string, signs: readonly Sign[]): HTMLElement => {
  const shapes = signs.map(({ marble }, i) => {
    const shape = marbleShape(model, marble, '');
    for (const attribute of ['id', 'role', 'data-marble', 'aria-label']) shape.removeAttribute(attribute);
    shape.setAttribute('transform', `translate(${i * SIGN} 0)`);
    return shape;
  });
  const [width, height] = [signs.length * SIGN, SIGN];
  const view = { width, height, viewBox: `-15 -15 ${width} ${height}`, 'aria-hidden': 'true' };
  return html('div', { class: 'entry' }, svg('svg', view, ...shapes), html('span', {}, name));
};
