/** Draws rows of marbles as text, aligned by frame: one character is one frame. */

/** A character at a frame. Several marbles of one frame are drawn in parentheses. */
export type Marble = { frame: number; symbol: string };

/** The text of each row, and the function that returns the column of a frame. */
type DrawnMarbles = { tracks: string[]; columnOf: (frame: number) => number };

/** A longer pause is written as a duration, as in RxJS marbles. */
const MAX_DASHES = 40;

/**
 * Draws rows from frame 0 on. A fractional frame, such as 3.001, is drawn directly after the whole one: it marks
 * something that has no frame of its own.
 *   -a---(bc)-|
 *   ---d------|
 */
export const drawMarbles = (rows: readonly (readonly Marble[])[]): DrawnMarbles => {
  const frames = [...new Set(rows.flat().map(({ frame }) => frame))].sort((a, b) => a - b);
  const groups = rows.map(groupByFrame);
  const columns: Column[] = [];
  const places = new Map<number, number>();
  let nextFrame = 0; // the frame after what is drawn
  let width = 0; // the characters that are drawn
  for (const frame of frames) {
    const gap = toGap(Math.ceil(frame - nextFrame), rows.length);
    const column = toColumn(groups, frame);
    places.set(frame, width + widthOfColumn(gap));
    width += widthOfColumn(gap) + widthOfColumn(column);
    nextFrame = Math.floor(frame) + widthOfColumn(column);
    columns.push(gap, column);
  }
  return { tracks: drawColumns(columns, rows.length), columnOf: (frame) => places.get(frame) ?? 0 };
};

const groupByFrame = (marbles: readonly Marble[]): Map<number, string> => {
  const symbols = new Map<number, string>();
  for (const { frame, symbol } of marbles) symbols.set(frame, (symbols.get(frame) ?? '') + symbol);
  return new Map([...symbols].map(([frame, text]) => [frame, [...text].length > 1 ? `(${text})` : text]));
};

const toColumn = (groups: readonly ReadonlyMap<number, string>[], frame: number): Column => ({
  texts: new Map(groups.flatMap((group, row) => (group.has(frame) ? [[row, group.get(frame) ?? '']] : []))),
});

const toGap = (frames: number, rowCount: number): Column =>
  acrossRows(frames > MAX_DASHES ? ` ${frames}ms ` : '-'.repeat(Math.max(0, frames)), rowCount);

/** A track without the dashes that follow its end. */
export const withoutTail = (track: string): string => track.replace(/(?<=[|#]\)?)-+$/, '');

/** One column: the texts of rows, by row number; other rows are filled to the same width. */
export type Column = { texts: ReadonlyMap<number, string> };

/** The number of characters that a column takes. */
export const widthOfColumn = ({ texts }: Column): number => Math.max(0, ...[...texts.values()].map(lengthOf));

/** A column with one text on every row, such as a pause. */
export const acrossRows = (text: string, rowCount: number): Column => ({
  texts: new Map(Array.from({ length: rowCount }, (_, row) => [row, text])),
});

/**
 * The text of each row; all have the same length.
 *   columns  {0: 'a'} {1: 'b'} {0: ' 5s ', 1: ' 5s '}
 *   rows     a- 5s
 *            -b 5s
 */
export const drawColumns = (columns: readonly Column[], rowCount: number): string[] => {
  const widths = columns.map(widthOfColumn);
  return Array.from({ length: rowCount }, (_, row) =>
    columns
      .map(({ texts }, i) => {
        const text = texts.get(row) ?? '';
        return text + '-'.repeat((widths[i] ?? 0) - lengthOf(text));
      })
      .join(''),
  );
};

const lengthOf = (text: string): number => [...text].length;
