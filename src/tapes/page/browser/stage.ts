/** Draws only the part of the session that is in view. */
import { cutLabel } from '../labels';
import type { Model } from '../model';
import type { State } from '../state';
import { byId, svg } from './dom';
import { isNarrow, type Places, placesOf } from './lanes';
import { marblesOf } from './marbles';
import { rulerOf } from './ruler';
import { spansOf } from './spans';
import { closeOf, wireOf, wireTo } from './wires';

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
/** The width of the names next to the wires, in the units of labels, which are smaller. */
const NAME = 112;

/** The names next to the wires; above the wires in a narrow window. */
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
