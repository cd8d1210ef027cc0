/** Draws the times above the stage: marks of the clock, or the pauses between messages. */
import { niceStep, toTime } from '../format';
import type { Model } from '../model';
import type { State } from '../state';
import { firstAt } from '../track';
import { fromPixel, toPixel } from '../view';
import { svg } from './dom';
import { RULER } from './lanes';

/** A pause at least this long is labelled. */
const PAUSE_MS = 200;
/** Pixels that a time needs. */
const ROOM = 96;

/** The ruler of the window, as elements. */
export const rulerOf = (model: Model, state: State, height: number): SVGElement[] => {
  if (state.track.axis === 'linear') return clockMarks(state, height);
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

const clockMarks = ({ view, track }: State, height: number): SVGElement[] => {
  const step = niceStep((view.span / Math.max(1, view.width)) * ROOM);
  const from = Math.ceil(Math.max(0, fromPixel(view, 0)) / step);
  const to = Math.floor(Math.min(track.length, fromPixel(view, view.width)) / step);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => {
    const ms = (from + i) * step;
    return mark('tick', { x: toPixel(view, ms), text: toTime(ms) }, height);
  });
};

type Pause = { x: number; ms: number };

/** The times of some columns without a labelled pause. */
const columnTimes = ({ marbles }: Model, { view, track }: State, taken: readonly Pause[]): SVGElement[] => {
  const step = Math.max(1, Math.ceil(((view.span / Math.max(1, view.width)) * ROOM) / 5) * 5);
  const from = Math.ceil(Math.max(0, view.start) / step) * step;
  const times: SVGElement[] = [];
  for (let k = from; k < track.shown.length && k <= view.start + view.span; k += step) {
    const x = Math.round(toPixel(view, track.xs[k] ?? 0));
    if (taken.some((pause) => Math.abs(pause.x - x) < ROOM * 0.75)) continue;
    const text = toTime(marbles.at[track.shown[k] ?? 0] ?? 0);
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
