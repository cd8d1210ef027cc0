/** Draws marbles as text: lanes below each other, a column per message, with a legend. */
import type { Paint, Style } from '../../io/terminal/paint';
import { padTo, widthOf } from '../../io/terminal/width';
import { type LegendEntry, legendEntries } from '../page/labels';

/** From top to bottom; the last two are inner seams. */
const LANES = ['request', 'answer', 'event', 'progress', 'question', 'model', 'executor'] as const;
/** A lane; `log` is not drawn in the diagram. */
export type Lane = (typeof LANES)[number] | 'log';

/** The colour of a lane, the same in the live lines and in the diagram. */
export const styleOf: Record<Lane, Style> = {
  request: 'cyan',
  answer: 'green',
  event: 'blue',
  progress: 'dim',
  question: 'yellow',
  model: 'magenta',
  executor: 'magenta',
  log: 'magenta',
};

/** One marble. If its lane is not in the diagram, it is not drawn. */
export type Marble<L extends string = Lane> = {
  atMs: number;
  /** When its last message came. */
  untilMs: number;
  lane: L;
  symbol: string;
  name: string;
  /** The lanes on which a call waits for its response at that time. */
  waits?: ReadonlySet<string>;
};

/** A lane as it is labelled and painted. */
export type DiagramLane = { key: string; style: Style };

type DiagramOptions = {
  paint: Paint;
  /** In columns. */
  width: number;
  /** From top to bottom; only lanes with a marble are drawn. Default: the common lanes. */
  lanes?: readonly DiagramLane[];
};

const COMMON: readonly DiagramLane[] = LANES.map((key) => ({ key, style: styleOf[key] }));
const MIN_LABEL = 8;
const MAX_LABEL = 12;
/** A pause at least this long is written out, as in RxJS marbles. */
const PAUSE_MS = 200;

/** One step of time: a marble on one lane, or a pause on all of them. */
type Cell = { lane?: string; text: string; waits?: ReadonlySet<string> };

const toCells = (marks: readonly Marble<string>[]): Cell[] =>
  marks.flatMap((mark, i) => {
    const pauseMs = Math.round(mark.atMs) - (marks[i - 1]?.untilMs ?? mark.atMs);
    const pause = pauseMs < PAUSE_MS ? [] : [{ text: ` ${Math.round(pauseMs)}ms ` }];
    return [...pause, { lane: mark.lane, text: mark.symbol, waits: mark.waits }];
  });

/** Cells in rows of less than `width` columns, so that a column is left for the end of the row. */
const toRows = (cells: readonly Cell[], width: number): Cell[][] => {
  const rows: Cell[][] = [];
  let used = width;
  for (const cell of cells) {
    const columns = widthOf(cell.text);
    if (used + columns >= width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(cell);
    used += columns;
  }
  return rows;
};

const lanesIn = (marks: readonly Marble<string>[], lanes: readonly DiagramLane[]): DiagramLane[] => {
  const used = new Set(marks.map(({ lane }) => lane));
  return lanes.filter(({ key }) => used.has(key));
};

const textOf = ({ lane, text, waits }: Cell, key: string): string =>
  lane === undefined || lane === key ? text : (waits?.has(key) ? '=' : '-').repeat(widthOf(text));

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
    const lines = lanesOf(row, lanes).map(({ key, style }) => {
      const track = row.map((cell) => textOf(cell, key)).join('');
      return paint(style, `${padTo(key, size)} ${track}${end}`);
    });
    return i === 0 ? lines : ['', ...lines];
  });
};

/** The lanes of a row with something in them, as a score leaves out the parts that rest; all lanes if the row is empty. */
const lanesOf = (row: readonly Cell[], lanes: readonly DiagramLane[]): readonly DiagramLane[] => {
  const used = lanes.filter(({ key }) => row.some(({ lane, waits }) => lane === key || waits?.has(key)));
  return used.length === 0 ? lanes : used;
};

/** What the marbles of a session stand for, each name once with its letters, in as many columns as fit. */
export const toLegend = (
  marks: readonly Marble<string>[],
  { paint, width, lanes = COMMON }: DiagramOptions,
): string[] => {
  const styles = new Map(lanes.map(({ key, style }) => [key, style]));
  const entries = legendEntries(marks.filter(({ lane }) => styles.has(lane)));
  const most = Math.max(0, ...entries.map(({ signs }) => signsWidth(signs)));
  const size = Math.min(width, Math.max(0, ...entries.map(({ name }) => most + 1 + widthOf(name))) + 3);
  const columns = Math.max(1, Math.floor((width + 3) / size));
  const height = Math.ceil(entries.length / columns);
  const textOf = ({ signs, name }: LegendEntry<Marble<string>>): string => {
    const letters = signs.map(({ symbol, lane }) => paint(styles.get(lane) ?? 'dim', symbol)).join(' ');
    return `${letters}${' '.repeat(most - signsWidth(signs))} ${padTo(name, size - most - 1)}`;
  };
  return Array.from({ length: height }, (_, row) =>
    entries
      .filter((_entry, i) => i % height === row)
      .map(textOf)
      .join('')
      .trimEnd(),
  );
};

const signsWidth = (signs: readonly Marble<string>[]): number =>
  signs.reduce((sum, { symbol }) => sum + widthOf(symbol) + 1, -1);
