/** Draws marbles as text: lanes below each other, a column a message, with a legend. */
import { type Paint, padTo, type Style, widthOf } from '../terminal';
import { LANES, type Lane, styleOf } from './laneStyles';

/** One marble. `untilMs` is when the last of what it stands for came. A marble on no lane of the diagram is not drawn. */
export type Marble<L extends string = Lane> = {
  atMs: number;
  untilMs: number;
  lane: L;
  symbol: string;
  name: string;
  /** The lanes on which a call waits for its response at that time. */
  waits?: ReadonlySet<string>;
};

/** A lane as it is labelled and painted. */
export type DiagramLane = { key: string; style: Style };

/** `lanes` from top to bottom; the common ones by default, and in either case only those with a marble. */
export type DiagramOptions = { paint: Paint; width: number; lanes?: readonly DiagramLane[] };

const COMMON: readonly DiagramLane[] = LANES.map((key) => ({ key, style: styleOf[key] }));
const MIN_LABEL = 8;
const MAX_LABEL = 12;
/** From here on a pause is written out, as in RxJS marbles. */
const PAUSE_MS = 200;

/** One step of time: a marble on one lane, or a pause on all of them. */
type Cell = { lane?: string; text: string; waits?: ReadonlySet<string> };

const toCells = (marks: readonly Marble<string>[]): Cell[] =>
  marks.flatMap((mark, i) => {
    const pauseMs = Math.round(mark.atMs) - (marks[i - 1]?.untilMs ?? mark.atMs);
    const pause = pauseMs < PAUSE_MS ? [] : [{ text: ` ${Math.round(pauseMs)}ms ` }];
    return [...pause, { lane: mark.lane, text: mark.symbol, waits: mark.waits }];
  });

/** Cells in rows of at most so many characters, one left for what ends the row. */
const toRows = (cells: readonly Cell[], width: number): Cell[][] => {
  const rows: Cell[][] = [];
  let used = width;
  for (const cell of cells) {
    if (used + cell.text.length >= width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(cell);
    used += cell.text.length;
  }
  return rows;
};

/** The lanes that have a marble. */
const lanesIn = (marks: readonly Marble<string>[], lanes: readonly DiagramLane[]): DiagramLane[] => {
  const used = new Set(marks.map(({ lane }) => lane));
  return lanes.filter(({ key }) => used.has(key));
};

const textOf = ({ lane, text, waits }: Cell, key: string): string =>
  lane === undefined || lane === key ? text : waits?.has(key) ? '=' : '-';

/**
 * The lanes of a session, in lines of at most `width` characters. A lane is `=` while a call waits for its response.
 *   request   i-n-c-----|
 *   answer    -I---=====C-|
 */
export const toDiagram = (
  marks: readonly Marble<string>[],
  { paint, width, lanes: known = COMMON }: DiagramOptions,
): string[] => {
  const lanes = lanesIn(marks, known);
  const keys = new Set(lanes.map(({ key }) => key));
  const size = Math.min(MAX_LABEL, Math.max(MIN_LABEL, ...lanes.map(({ key }) => widthOf(key))));
  const rows = toRows(toCells(marks.filter(({ lane }) => keys.has(lane))), width - size - 1);
  return rows.flatMap((row, i) => {
    const end = i === rows.length - 1 ? '|' : '…';
    const lines = lanes.map(({ key, style }) => {
      const track = row.map((cell) => textOf(cell, key)).join('');
      return paint(style, `${padTo(key, size)} ${track}${end}`);
    });
    return i === 0 ? lines : ['', ...lines];
  });
};

/** What the marbles of a session stand for, each once, in as many columns as fit. */
export const toLegend = (
  marks: readonly Marble<string>[],
  { paint, width, lanes = COMMON }: DiagramOptions,
): string[] => {
  const styles = new Map(lanes.map(({ key, style }) => [key, style]));
  const known = new Map(marks.filter(({ lane }) => styles.has(lane)).map((mark) => [mark.symbol, mark]));
  const entries = [...known.values()].map((mark) => ({
    ...mark,
    label: mark.lane === 'answer' ? `${mark.name}, answered` : mark.name,
  }));
  const size = Math.max(0, ...entries.map(({ label }) => widthOf(label))) + 4;
  const columns = Math.max(1, Math.floor(width / size));
  const height = Math.ceil(entries.length / columns);
  return Array.from({ length: height }, (_, row) =>
    entries
      .filter((_entry, i) => i % height === row)
      .map(({ symbol, lane, label }) => `${paint(styles.get(lane) ?? 'dim', symbol)} ${padTo(label, size - 2)}`)
      .join('')
      .trimEnd(),
  );
};
