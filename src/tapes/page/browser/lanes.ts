/** Computes the heights of the lanes of the stage. */
import { cutLabel } from '../labels';
import type { Model } from '../model';
import type { State } from '../state';
import { placeOf } from '../track';
import { EDGE, toPixel } from '../view';
import { byId, svg } from './dom';

/** Pixels of a lane; in a narrow window its name stands above its wire. */
const LANE = 40;
const NARROW_LANE = 56;
const NARROW = '(max-width: 640px)';
const TIER = 5;
/** The height of the ruler above the lanes, in pixels. */
export const RULER = 30;

/** A visible lane: its index, and the height of its wire. */
type Place = { lane: number; y: number };
export type Places = { places: Place[]; yOf: Map<number, number>; height: number };

/** Whether the window has no room for the names of lanes next to their wires. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** The visible lanes, from top to bottom; lanes with calls have room for their bands. */
export const placesOf = ({ lanes, spans, marbles }: Model, { filter }: Pick<State, 'filter'>): Places => {
  const tiers = lanes.map(() => 0);
  for (const [from, , , tier] of spans) {
    const lane = marbles.lane[from] ?? 0;
    tiers[lane] = Math.max(tiers[lane] ?? 0, tier + 1);
  }
  const places: Place[] = [];
  const height = isNarrow() ? NARROW_LANE : LANE;
  let top = RULER;
  lanes.forEach((_, lane) => {
    if (filter.lanes.has(lane)) return;
    places.push({ lane, y: top + height - LANE / 2 });
    top += height + (tiers[lane] ?? 0) * TIER;
  });
  return { places, yOf: new Map(places.map(({ lane, y }) => [lane, y])), height: top + 10 };
};

/** The height of a call's band. */
export const bandY = (wire: number, tier: number): number => wire + 17 + tier * TIER;

/** A wire that goes on, or ended with its side of the connection; `x` is the pixel up to which it is drawn. */
type Wire = { kind: 'goesOn' | 'ended'; x: number };

/** The wire of a lane. */
export const wireTo = ({ ends, lanes }: Model, { view, track }: State, lane: number): Wire => {
  const group = lanes[lane]?.group;
  const end = group === 'request' && ends.client >= 0 ? ends.client : group === 'log' ? -1 : ends.server;
  const endX = end < 0 ? Number.POSITIVE_INFINITY : toPixel(view, placeOf(track, end));
  const lastX = toPixel(view, track.length) + EDGE - 12;
  const tipX = Math.min(view.width - 4, Math.max(lastX, EDGE));
  return endX > tipX ? { kind: 'goesOn', x: tipX } : { kind: 'ended', x: endX };
};

/** A line with an arrow head or a bar. */
export const wireOf = ({ kind, x }: Wire, y: number): SVGElement => {
  const lineTo = (to: number) => svg('path', { d: `M0 ${y}H${to}` });
  if (kind === 'goesOn') {
    return svg('g', { class: 'wire' }, lineTo(x - 8), svg('path', { class: 'tip', d: `M${x} ${y}l-12-5.5v11z` }));
  }
  const bar = svg('path', { class: 'bar', d: `M${x} ${y - 11}v22` });
  return svg('g', { class: 'wire' }, x > 0 ? lineTo(x) : '', bar);
};

/** The end of the server: one line through its lanes; its marble shows how it ended. */
export const closeOf = ({ ends, lanes }: Model, { view, track }: State, { places }: Places): SVGElement | '' => {
  const x = ends.server < 0 ? -1 : toPixel(view, placeOf(track, ends.server));
  const own = places.filter(({ lane }) => lanes[lane]?.group !== 'request');
  const [first, last] = [own[0]?.y ?? 0, own.at(-1)?.y ?? 0];
  return x < 0 || x > view.width ? '' : svg('path', { class: 'close', d: `M${x} ${first - 11}V${last}` });
};

/** Pixels from a wire to the name above it. */
const ABOVE = -24;
/** The width of the names next to the wires, in the units of labels, which are smaller. */
const NAME_WIDTH = 112;

/** The names next to the wires; above the wires in a narrow window. */
export const drawNames = ({ lanes, laneCounts }: Model, { places, height }: Places): void => {
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
          cutLabel(title, narrow ? 300 : NAME_WIDTH) ?? '',
        ),
        svg('title', {}, `${title}: ${laneCounts[lane]} marbles`),
      );
    }),
  );
};
