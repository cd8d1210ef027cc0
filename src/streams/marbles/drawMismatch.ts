/** Draws the first difference between two rows of marbles, and shows it in JSON. */
import { differenceLines, diffJson } from './diffJson';
import { DEFAULT_COLUMNS, drawComparison } from './drawComparison';
import type { Marble } from './drawMarbles';

/** A marble that is compared. `label` describes it; `phase` names the part of the session it belongs to. */
export type ComparedMarble = Marble & { value: unknown; label: string; phase?: string };

/**
 * Two rows that differ. `at` is the index of the first difference in both; `client` is drawn above them. `cut`:
 * whether rows before the first marble are left out.
 */
export type Mismatch = {
  client?: ComparedMarble[];
  expected: ComparedMarble[];
  actual: ComparedMarble[];
  at: number;
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
