/** Owns drawing marbles as text: rows below each other whose columns fit, one character a frame. */

/** What stands at a frame; several marks of one frame are drawn in parentheses. */
export type Mark = { frame: number; symbol: string };

/** Longer pauses are written as a time, as in RxJS marbles. */
const MAX_DASHES = 40;

/** The text of each row, and the column at which a frame stands. */
export type Drawn = { tracks: string[]; columnOf: (frame: number) => number };

/**
 * Draws rows from the frame 0 on. Frames between whole ones are drawn right behind them, for what has no place of its own.
 *   -a---(bc)-|
 *   ---d------|
 */
export const drawMarbles = (rows: readonly (readonly Mark[])[]): Drawn => {
  const frames = [...new Set(rows.flat().map(({ frame }) => frame))].sort((a, b) => a - b);
  const cells = rows.map(toCells);
  const columns = new Map<number, number>();
  const tracks = rows.map(() => '');
  let next = 0;
  for (const frame of frames) {
    const texts = cells.map((row) => row.get(frame) ?? '');
    const width = Math.max(...texts.map(({ length }) => length));
    const gap = toGap(Math.ceil(frame - next));
    texts.forEach((text, i) => {
      tracks[i] += gap + text.padEnd(width, '-');
    });
    columns.set(frame, (tracks[0] as string).length - width);
    next = Math.floor(frame) + width;
  }
  return { tracks, columnOf: (frame) => columns.get(frame) ?? 0 };
};

/** The text at each frame. Symbols are in the order of their marks. */
const toCells = (marks: readonly Mark[]): Map<number, string> => {
  const symbols = new Map<number, string>();
  for (const { frame, symbol } of marks) symbols.set(frame, (symbols.get(frame) ?? '') + symbol);
  return new Map([...symbols].map(([frame, text]) => [frame, [...text].length > 1 ? `(${text})` : text]));
};

const toGap = (frames: number): string => (frames > MAX_DASHES ? ` ${frames}ms ` : '-'.repeat(Math.max(0, frames)));

/** Nothing comes behind an end. */
export const endless = (track: string): string => track.replace(/(?<=[|#]\)?)-+$/, '');

/** A row with its name before it and how it ends. */
export type Row = { name: string; marks: readonly Mark[]; end: string };

/** Rows with their names, and `^` below the frame at which they differ first. @param cut whether rows before these are left out */
export const drawComparison = (rows: readonly Row[], differsAt: number, cut: 'start' | 'nowhere'): string[] => {
  const { tracks, columnOf } = drawMarbles(rows.map(({ marks }) => marks));
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const start = cut === 'start' ? '…' : '';
  return [
    ...rows.map(({ name, end }, i) => `${name.padEnd(width)}${start}${endless(tracks[i] ?? '')}${end}`),
    `${' '.repeat(width + start.length + columnOf(differsAt))}^`,
  ];
};
