/** Owns the marble diagram of a whole session: lanes below each other, one column a message, a legend. */
import { LANES, type Lane, type Paint, styleOf } from './paint';

/** One marble. `untilMs` is when the last of what it stands for came; what is on the lane `log` is not drawn. */
export type Marble = { atMs: number; untilMs: number; lane: Lane; symbol: string; name: string };

const LABEL = 9;
/** From here on a pause is written out, as in RxJS marbles. */
const PAUSE_MS = 200;

/** One step of time: a marble on one lane, or a pause on all of them. */
type Cell = { lane?: Lane; text: string };

const toCells = (marks: readonly Marble[]): Cell[] =>
  marks.flatMap((mark, i) => {
    const pauseMs = mark.atMs - (marks[i - 1]?.untilMs ?? mark.atMs);
    const pause = pauseMs < PAUSE_MS ? [] : [{ text: ` ${pauseMs}ms ` }];
    return [...pause, { lane: mark.lane, text: mark.symbol }];
  });

/** Cells in rows of at most so many characters, one left for what ends the row. */
const toRows = (cells: readonly Cell[], width: number): Cell[][] =>
  cells.reduce<Cell[][]>((rows, cell) => {
    const row = rows.at(-1);
    const used = row?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    if (row && used + cell.text.length < width) row.push(cell);
    else rows.push([cell]);
    return rows;
  }, []);

/**
 * The lanes of a session, in lines of at most `width` characters.
 *   request   i-n-c-----|
 *   answer    -I------C-|
 */
export const toDiagram = (marks: readonly Marble[], { paint, width }: { paint: Paint; width: number }): string[] => {
  const drawn = marks.filter(({ lane }) => lane !== 'log');
  const lanes = LANES.filter((lane) => drawn.some((mark) => mark.lane === lane));
  const rows = toRows(toCells(drawn), width - LABEL);
  return rows.flatMap((row, i) => {
    const end = i === rows.length - 1 ? '|' : '…';
    const lines = lanes.map((lane) => {
      const track = row.map((cell) => (cell.lane === undefined || cell.lane === lane ? cell.text : '-')).join('');
      return paint(styleOf[lane], `${lane.padEnd(LABEL)}${track}${end}`);
    });
    return i === 0 ? lines : ['', ...lines];
  });
};

/** What the marbles of a session stand for, each once, in as many columns as fit. */
export const toLegend = (marks: readonly Marble[], { paint, width }: { paint: Paint; width: number }): string[] => {
  const known = new Map(marks.filter(({ lane }) => lane !== 'log').map((mark) => [mark.symbol, mark]));
  const entries = [...known.values()].map((mark) => ({
    ...mark,
    label: mark.lane === 'answer' ? `${mark.name}, answered` : mark.name,
  }));
  const size = Math.max(0, ...entries.map(({ label }) => label.length)) + 4;
  const columns = Math.max(1, Math.floor(width / size));
  const height = Math.ceil(entries.length / columns);
  return Array.from({ length: height }, (_, row) =>
    entries
      .filter((_entry, i) => i % height === row)
      .map(({ symbol, lane, label }) => `${paint(styleOf[lane], symbol)} ${label.padEnd(size - 2)}`)
      .join('')
      .trimEnd(),
  );
};
