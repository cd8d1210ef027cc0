/** Draws the first difference between two rows of marbles, and shows it in JSON. */
import { differenceLines, diffJson } from './diffJson';
import { drawMarbles, type Marble, withoutTail } from './drawMarbles';

/** A marble with what it stands for. */
export type ComparedMarble = Marble & {
  value: unknown;
  /** Describes the marble: 'a value', 'a response'. */
  label: string;
  /** The part of the session that the marble belongs to. */
  phase?: string;
};

/** Two rows that differ. */
export type Mismatch = {
  /** A row that is drawn above the two. */
  client?: ComparedMarble[];
  expected: ComparedMarble[];
  actual: ComparedMarble[];
  /** The index of the first difference in both rows. */
  at: number;
  /** Whether the rows begin earlier than their first marble. */
  cut: 'start' | 'nowhere';
};

/** The label of `|`. */
export const END_LABEL = 'the end';

const SIDES = ['expected', 'actual'] as const;
const MAX_DIFFERENCES = 10;
const MAX_CHARS = 400;
const INDENT = '  ';

/**
 * The rows with `^` below the first difference, and that difference in JSON.
 *   client    i-n-c-----|
 *   expected  -I----Q-C-|
 *   actual    -I----Q-?-|
 *                     ^
 * @param columns of the terminal
 */
export const drawMismatch = (mismatch: Mismatch, columns: number = DEFAULT_COLUMNS): string => {
  const { expected, actual, at } = mismatch;
  const phase = expected[at]?.phase || actual[at]?.phase || '';
  const lines = [...drawRows(mismatch, columns), ...describe(expected[at], actual[at], columns)].map(
    (line) => INDENT + line,
  );
  return [...(phase === '' ? [] : [`in ${phase}:`]), ...lines].join('\n');
};

const drawRows = ({ client, expected, actual, at, cut }: Mismatch, columns: number): string[] => {
  const rows = [...(client ? [['client', client] as const] : []), [SIDES[0], expected], [SIDES[1], actual]] as const;
  const base = cut === 'start' ? Math.min(...rows.flatMap(([, marbles]) => marbles.map(({ frame }) => frame))) : 0;
  const differing = [expected[at], actual[at]].flatMap((one) => one ?? []);
  return drawComparison(
    rows.map(([name, marbles]) => ({
      name,
      marbles: marbles.map(({ frame, symbol }) => ({ frame: frame - base, symbol })),
      end: '',
    })),
    { frame: Math.min(...differing.map(({ frame }) => frame)) - base, cut, columns },
  );
};

type Side = ComparedMarble | undefined;

const describe = (expected: Side, actual: Side, columns: number): string[] => {
  const headline = `expected ${nameOf(expected)}; actual ${nameOf(actual)}`;
  const [first, ...others] = [expected, actual].flatMap((one) => (one && one.label !== END_LABEL ? [one] : []));
  if (others.length === 0) return [headline, ...(first ? [toShortText(first.value)] : [])];
  if (expected === undefined || actual === undefined) return [headline];
  const differences = diffJson(expected.value, actual.value, 'message');
  if (differences.length === 0) return [`${headline}, at ${expected.frame} ms and at ${actual.frame} ms`];
  const rest = differences.length - MAX_DIFFERENCES;
  return [
    headline,
    ...differences.slice(0, MAX_DIFFERENCES).flatMap(differenceLines(SIDES, columns - INDENT.length)),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ];
};

const nameOf = (marble: ComparedMarble | undefined): string =>
  marble ? `${marble.symbol} (${marble.label})` : 'nothing';

const toShortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
};

/** How many marbles of a long row are drawn before the first difference, and after it. */
export const EXCERPT = { before: 24, after: 16 };

/** The number of columns of a drawing if the terminal's is not known. */
export const DEFAULT_COLUMNS = 80;
/** The number of columns by which reports are indented. */
const INDENT_COLUMNS = 2;
/** A row shows at least this many columns of marbles, even if the terminal is narrower. */
const LEAST = 8;

type NamedRow = {
  /** Is written in front of the row. */
  name: string;
  marbles: readonly Marble[];
  /** The text after the last marble. */
  end: string;
};

type ComparisonPlace = {
  /** The frame of the first difference. */
  frame: number;
  /** Whether the rows begin earlier than their first marble. */
  cut: 'start' | 'nowhere';
  /** The width of the terminal. */
  columns: number;
};

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
  const room = Math.max(LEAST, columns - INDENT_COLUMNS - width - 2);
  const from = Math.max(...texts.map(({ length }) => length)) > room ? Math.max(0, at - Math.floor(room / 2)) : 0;
  const start = cut === 'start' || from > 0 ? '…' : '';
  return [
    ...rows.map(({ name }, i) => `${name.padEnd(width)}${start}${cutAt(texts[i]?.slice(from) ?? '', room)}`),
    `${' '.repeat(width + start.length + at - from)}^`,
  ];
};

const cutAt = (text: string, room: number): string => (text.length > room ? `${text.slice(0, room)}…` : text);
