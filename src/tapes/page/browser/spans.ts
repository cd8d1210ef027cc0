/** Draws the calls in view: a band below the lane of the request, a dotted line to the response. */
import { type Model, OUTCOMES } from '../model';
import type { State } from '../state';
import { placeOf } from '../track';
import { toPixel } from '../view';
import { svg } from './dom';
import { bandY, type Places } from './lanes';
import { RADIUS } from './shapes';

/** A band narrower than this is not drawn. */
const MIN_BAND_PX = 2;

/** The calls as elements. Bands that are too short to see are left out; equal drawings are drawn once. */
export const spansOf = (model: Model, state: State, places: Places): SVGElement[] => {
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

const shapeOf = ({ lanes }: Model, { span, band, y, endY }: Drawing, { selected, view }: State): SVGElement => {
  const [from, to, outcome] = span;
  const drop = endY !== undefined && endY > y && band.endX <= view.width + 10;
  const chosen = selected === from || selected === to ? ' chosen' : '';
  return svg(
    'g',
    { class: `${lanes[band.lane]?.group} span ${OUTCOMES[outcome]}${chosen}` },
    svg('path', { class: 'band', d: `M${band.left} ${y}H${band.right}` }),
    drop ? svg('path', { class: 'drop', d: `M${band.endX} ${y + 4}V${endY - RADIUS - 2}` }) : '',
  );
};
