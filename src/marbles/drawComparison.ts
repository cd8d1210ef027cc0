/** Draws rows of marbles that are compared, with `^` below the frame at which they first differ. */
import { drawMarbles, type Marble, withoutTail } from './drawMarbles';

/** How many marbles of a long row are drawn before the first difference, and from it on. */
export const EXCERPT = { before: 24, after: 16 };

/** A row with its name in front. `end` is what follows its last marble. */
export type NamedRow = { name: string; marbles: readonly Marble[]; end: string };

/**
 * The rows below each other, and a line with `^`.
 *   recorded  …a-(bc)-d|
 *   now       …a-(bx)-d|
 *               ^
 * @param cut whether the rows begin earlier than what is drawn
 */
export const drawComparison = (
  rows: readonly NamedRow[],
  differsAtFrame: number,
  cut: 'start' | 'nowhere',
): string[] => {
  const { tracks, columnOf } = drawMarbles(rows.map(({ marbles }) => marbles));
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const start = cut === 'start' ? '…' : '';
  return [
    ...rows.map(({ name, end }, i) => `${name.padEnd(width)}${start}${withoutTail(tracks[i] ?? '')}${end}`),
    `${' '.repeat(width + start.length + columnOf(differsAtFrame))}^`,
  ];
};
