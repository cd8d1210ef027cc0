/** Draws rows of marbles that are compared, with `^` below the frame at which they first differ. */
import { drawMarbles, type Marble, withoutTail } from './drawMarbles';

/** How many marbles of a long row are drawn before the first difference, and from it on. */
export const EXCERPT = { before: 24, after: 16 };

/** Longer rows are cut around the difference; a report is indented by two. */
const MAX_WIDTH = 78;

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
  const texts = rows.map(({ end }, i) => `${withoutTail(tracks[i] ?? '')}${end}`);
  const at = columnOf(differsAtFrame);
  const room = MAX_WIDTH - width - 2;
  const from = Math.max(...texts.map(({ length }) => length)) > room ? Math.max(0, at - Math.floor(room / 2)) : 0;
  const start = cut === 'start' || from > 0 ? '…' : '';
  return [
    ...rows.map(({ name }, i) => `${name.padEnd(width)}${start}${cutAt(texts[i]?.slice(from) ?? '', room)}`),
    `${' '.repeat(width + start.length + at - from)}^`,
  ];
};

const cutAt = (text: string, room: number): string => (text.length > room ? `${text.slice(0, room)}…` : text);
