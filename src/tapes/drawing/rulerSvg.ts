/** Draws the times above a row: its pauses, or marks of the clock. */

import type { Chart } from '../diagram/chart';
import { durationOf, niceStep } from '../page/format';
import { type Axis, type Layout, ROW, type Row, SIZE } from './layout';
import { tag } from './xml';

/** A pause at least this long is labelled. */
const PAUSE_MS = 200;
/** Pixels that a time needs. */
const ROOM = 64;

/** The times of a row. */
export const rulerSvg = (chart: Chart, layout: Layout, { row, axis }: { row: number; axis: Axis }): string =>
  axis === 'linear' ? clockSvg(chart, layout, row) : pausesSvg(chart, layout, row);

const clockSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const stepMs = niceStep(lastMs / (layout.rows.length * 8));
  const ticks = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, i) => i * stepMs);
  return ticks
    .map((ms) => ({ ms, place: layout.placeOfMs(ms) }))
    .filter(({ place }) => place.row === row)
    .map(({ ms, place: { x } }) => tickSvg(layout.rows[row], x, { kind: 'tick', text: durationOf(ms) }))
    .join('');
};

const pausesSvg = ({ marbles }: Chart, layout: Layout, row: number): string => {
  const drawn: string[] = [];
  let freeX = 0;
  marbles.forEach(({ atMs }, i) => {
    const before = marbles[i - 1]?.untilMs ?? atMs;
    if (i % layout.perColumn !== 0 || atMs - before < PAUSE_MS) return;
    const { row: own, x } = layout.placeOf(i);
    if (own !== row || x < freeX) return;
    freeX = x + ROOM;
    drawn.push(tickSvg(layout.rows[row], x - SIZE.step / 2, { kind: 'pause', text: `+ ${durationOf(atMs - before)}` }));
  });
  return drawn.join('');
};

type Time = { kind: 'tick' | 'pause'; text: string };

const tickSvg = (row: Row | undefined, x: number, { kind, text }: Time): string =>
  tag('path', { class: kind, d: `M${Math.round(x)} ${ROW.ruler - 6}V${(row?.height ?? 0) - ROW.gap}` }) +
  tag('text', { class: 'q s', x, y: ROW.ruler - 11, 'text-anchor': 'middle' }, text);
