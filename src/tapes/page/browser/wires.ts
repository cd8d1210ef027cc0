/** Draws the wires of lanes: up to where, and whether their side ended there. */
import type { Model } from '../model';
import type { State } from '../state';
import { placeOf } from '../track';
import { EDGE, toPixel } from '../view';
import { svg } from './dom';
import type { Places } from './lanes';

/** A wire that goes on, or ended with its side of the connection; `x` is the pixel up to which it is drawn. */
export type Wire = { kind: 'goesOn' | 'ended'; x: number };

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
