/** Moves and scales the part of the track that is in view. Pixels are counted from the left edge of the stage. */
import type { Track } from './track';

/** The part of the track that is in view. */
export type View = {
  /** In units of the track. */
  start: number;
  /** In units of the track. */
  span: number;
  /** In pixels. */
  width: number;
};

/** Pixels left free at both ends. */
export const EDGE = 26;
/** Pixels from marble to marble: when a page opens, and at most. */
const OPENING_STEP = 32;
const MAX_STEP = 84;
const MIN_MS = 0.5;

const inner = ({ width }: Pick<View, 'width'>): number => Math.max(1, width - 2 * EDGE);

/** The pixel of a place of the track. */
export const toPixel = (view: View, x: number): number => EDGE + ((x - view.start) / view.span) * inner(view);
/** The place of the track at a pixel. */
export const fromPixel = (view: View, px: number): number => view.start + ((px - EDGE) / inner(view)) * view.span;

/** The least and the most of the track that can be in view; a short session does not fill the stage. */
const limits = ({ axis, length }: Track, width: number): [least: number, most: number] =>
  axis === 'ordinal'
    ? [Math.min(inner({ width }) / MAX_STEP, length), Math.max(length, inner({ width }) / MAX_STEP)]
    : [Math.min(MIN_MS, length), length];

/** A view within the track. */
export const clamped = (track: Track, { start, span, width }: View): View => {
  const [least, most] = limits(track, width);
  const kept = Math.min(Math.max(span, least), most);
  return { start: Math.min(Math.max(start, 0), Math.max(0, track.length - kept)), span: kept, width };
};

/** The first view: marbles with room for their letters, or the whole time. */
export const opening = (track: Track, width: number): View => {
  const span = track.axis === 'ordinal' ? inner({ width }) / OPENING_STEP : track.length;
  return clamped(track, { start: 0, span, width });
};

/** All of the track. */
export const whole = (track: Track, width: number): View =>
  clamped(track, { start: 0, span: Number.POSITIVE_INFINITY, width });

type Zoom = {
  /** Above 1: more detail. */
  by: number;
  /** The pixel that keeps its place; default the middle. */
  px?: number;
};

/** The view with another scale. */
export const zoomed = (track: Track, view: View, { by, px = view.width / 2 }: Zoom): View => {
  const fixed = fromPixel(view, px);
  const { span } = clamped(track, { ...view, span: view.span / by });
  return clamped(track, { ...view, span, start: fixed - ((px - EDGE) / inner(view)) * span });
};

/** The view moved by `px` pixels. */
export const panned = (track: Track, view: View, px: number): View =>
  clamped(track, { ...view, start: view.start + (px / inner(view)) * view.span });

/** The same part, centred on a position that is not in view. */
export const revealing = (track: Track, view: View, x: number): View => {
  const px = toPixel(view, x);
  if (px >= EDGE && px <= view.width - EDGE) return view;
  return clamped(track, { ...view, start: x - view.span / 2 });
};

/** The view from one position to another, with some room at both sides. */
export const framing = (track: Track, view: View, [from, to]: readonly [number, number]): View => {
  const span = Math.max((to - from) * 1.25, Number.EPSILON);
  const kept = clamped(track, { ...view, span });
  return clamped(track, { ...kept, start: (from + to) / 2 - kept.span / 2 });
};
