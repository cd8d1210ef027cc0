/** Draws the part of the session that is seen; what is not seen is not drawn. */
import { cutLabel } from '../labels';
import type { Model } from '../model';
import type { State } from '../state';
import { placeOf } from '../track';
import { EDGE, toPixel } from '../view';
import { byId, svg } from './dom';
import { isNarrow, type Places, placesOf } from './lanes';
import { marblesOf } from './marbles';
import { rulerOf } from './ruler';
import { spansOf } from './spans';

/** Draws the stage of a state. */
export const drawStage = (model: Model, state: State): void => {
  const stage = byId<SVGSVGElement>('stage');
  const places = placesOf(model, state);
  stage.setAttribute('height', String(places.height));
  stage.setAttribute('viewBox', `0 0 ${Math.max(1, state.view.width)} ${places.height}`);
  stage.replaceChildren(
    ...rulerOf(model, state, places.height),
    svg('g', { class: 'spans' }, ...spansOf(model, state, places)),
    svg(
      'g',
      {},
      closeOf(model, state, places),
      ...places.places.map(({ lane, y }) => wireOf(wireTo(model, state, lane), y)),
    ),
    svg('g', { class: state.query === '' ? '' : 'searching' }, ...marblesOf(model, state, places)),
  );
  const drawn = state.selected === undefined ? null : stage.querySelector('.selected');
  if (drawn) stage.setAttribute('aria-activedescendant', drawn.id);
  else stage.removeAttribute('aria-activedescendant');
  drawNames(model, places);
};

/** Pixels from a wire to the name above it. */
const ABOVE = -24;
/** Pixels of the names beside the wires, in the units of labels, which are smaller. */
const NAME = 112;

/** The names beside the wires, above them in a narrow window. */
const drawNames = ({ lanes, laneCounts }: Model, { places, height }: Places): void => {
  const names = byId<SVGSVGElement>('names');
  const narrow = isNarrow();
  names.setAttribute('height', String(height));
  names.replaceChildren(
    ...places.map(({ lane, y }) => {
      const { title = '', group = 'log' } = lanes[lane] ?? {};
      return svg(
        'g',
        { class: group, transform: `translate(0 ${y})` },
        svg('circle', { class: 'disc', cx: narrow ? 7 : 16, cy: narrow ? ABOVE - 4 : 0, r: narrow ? 5 : 6 }),
        svg(
          'text',
          { class: 'name', x: narrow ? 18 : 30, y: narrow ? ABOVE : 4.5 },
          cutLabel(title, narrow ? 300 : NAME) ?? '',
        ),
        svg('title', {}, `${title}: ${laneCounts[lane]} marbles`),
      );
    }),
  );
};

/** A wire goes on, or ended with its side; `x` is where that is. */
type Wire = { kind: 'goesOn' | 'ended'; x: number };

const wireTo = ({ ends, lanes }: Model, { view, track }: State, lane: number): Wire => {
  const group = lanes[lane]?.group;
  const end = group === 'request' && ends.client >= 0 ? ends.client : group === 'log' ? -1 : ends.server;
  const endX = end < 0 ? Number.POSITIVE_INFINITY : toPixel(view, placeOf(track, end));
  const lastX = toPixel(view, track.length) + EDGE - 12;
  const tipX = Math.min(view.width - 4, Math.max(lastX, EDGE));
  return endX > tipX ? { kind: 'goesOn', x: tipX } : { kind: 'ended', x: endX };
};

/** A line with an arrow head or a bar. */
const wireOf = ({ kind, x }: Wire, y: number): SVGElement => {
  const lineTo = (to: number) => svg('path', { d: `M0 ${y}H${to}` });
  if (kind === 'goesOn') {
    return svg('g', { class: 'wire' }, lineTo(x - 8), svg('path', { class: 'tip', d: `M${x} ${y}l-12-5.5v11z` }));
  }
  const bar = svg('path', { class: 'bar', d: `M${x} ${y - 11}v22` });
  return svg('g', { class: 'wire' }, x > 0 ? lineTo(x) : '', bar);
};

/** Where the server ended, one line through its lanes; its marble shows how. */
const closeOf = ({ ends, lanes }: Model, { view, track }: State, { places }: Places): SVGElement | '' => {
  const x = ends.server < 0 ? -1 : toPixel(view, placeOf(track, ends.server));
  const own = places.filter(({ lane }) => lanes[lane]?.group !== 'request');
  const [first, last] = [own[0]?.y ?? 0, own.at(-1)?.y ?? 0];
  return x < 0 || x > view.width ? '' : svg('path', { class: 'close', d: `M${x} ${first - 11}V${last}` });
};
