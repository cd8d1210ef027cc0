/** Draws rows of marbles to compare, with `^` below the frame at which they first differ. */
import { drawMarbles, type Marble, withoutTail } from './drawMarbles';

/** How many marbles of a long row are drawn before the first difference, and from there on. */
export const EXCERPT = { before: 24, after: 16 };

/** The number of columns of a drawing if the terminal's is not known. */
export const DEFAULT_COLUMNS = 80;
/** The number of columns by which reports are indented. */
const INDENT = 2;
/** A row shows at least this many columns of marbles, even if the terminal is narrower. */
const LEAST = 8;

/** A row with its name in front. `end` is what follows its last marble. */
export type NamedRow = { name: string; marbles: readonly Marble[]; end: string };

/** `frame` of the first difference; `cut`: whether the rows begin earlier than what is drawn; `columns` of the terminal. */
export type ComparisonPlace = { frame: number; cut: 'start' | 'nowhere'; columns: number };

/**
 * The rows below each other, cut around the difference if they are longer than the terminal is wide, and a line with `^`.
 *   recorded  …a-(bc)-d|
 *   now       …a-(bx)-d|
 *               ^
 */
export const drawComparison = (rows: readonly NamedRow[], { frame, cut, columns }: ComparisonPlace): string[] => {
  const { tracks, columnOf } = drawMarbles(rows.map(({ marbles }) => marbles));
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const texts = rows.map(({ end }, i) => `${withoutTail(tracks[i] ?? '')}${end}`);
  const at = columnOf(frame);
  const room = Math.max(LEAST, columns - INDENT - width - 2);
  const from = Math.max(...texts.map(({ length }) => length)) > room ? Math.max(0, at - Math.floor(room / 2)) : 0;
  const start = cut === 'start' || from > 0 ? '…' : '';
  return [
    ...rows.map(({ name }, i) => `${name.padEnd(width)}${start}${cutAt(texts[i]?.slice(from) ?? '', room)}`),
    `${' '.repeat(width + start.length + at - from)}^`,
  ];
};

const cutAt = (text: string, room: number): string => (text.length > room ? `${text.slice(0, room)}…` : text);
