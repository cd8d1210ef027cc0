/** Shows the counts of a session as a table of text, or as JSON. */
import { cutTo, flowTo, padTo, widthOf } from '../../io/terminal/width';
import { isObject, wordOf } from '../../protocol/jsonrpc/json';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { MethodStats, Stats } from './toStats';

const nameOf = (party: unknown): string =>
  isObject(party) ? [party.name, party.version].filter((part) => typeof part === 'string').join(' ') : 'unknown';

/** The counts of a session for a person, in lines of at most `width` columns if the numbers fit. No control character of a tape reaches the terminal. */
export const toStatsTable = (stats: Stats, width = Number.POSITIVE_INFINITY): string[] => {
  const { server, client, protocol, durationMs, lines, bytes, methods, notifications, outcomes, slowest } = stats;
  const section = (title: string, rows: string[]) =>
    rows.length === 0 ? [] : ['', ...flowTo(title.split(' '), width, ' '), ...rows.map((row) => `${INDENT}${row}`)];
  const table = (rows: readonly Row[], named: number): string[] =>
    toTable(rows, named, width - INDENT.length) ?? toTable(rows, named, Number.POSITIVE_INFINITY) ?? [];
  const head = [`server ${nameOf(server)}`, `client ${nameOf(client)}`, `protocol ${wordOf(protocol ?? 'unknown')}`];
  return [
    ...flowTo([...head.map(toVisible), `${Math.round(durationMs)} ms`], width, ', ').map((line) => cutTo(line, width)),
    ...section(
      'lines and bytes',
      table(
        Object.entries(lines).map(([dir, count]) => [dir, count, bytes[dir] ?? 0]),
        0,
      ),
    ),
    ...section('requests (ms until the response)', toMethodTable(methods, width - INDENT.length)),
    ...section('outcomes', table(Object.entries(outcomes), 0)),
    ...section('notifications', table(Object.entries(notifications), 0)),
    ...section(
      'slowest',
      table(
        slowest.map(({ ms, method, lineNumber }) => [ms, method, `line ${lineNumber}`]),
        1,
      ),
    ),
  ];
};

const INDENT = '  ';

/** A table; if it is too wide, each name with its numbers below. */
const toMethodTable = (methods: readonly MethodStats[], width: number): string[] =>
  methods.length === 0
    ? []
    : (toTable([HEAD, ...methods.map(toRow)], 0, width) ?? methods.flatMap((one) => stacked(one, width)));

type Column = readonly [title: string, member: keyof MethodStats];

const COUNTS: readonly Column[] = [
  ['count', 'count'],
  ['answered', 'answered'],
  ['errors', 'errors'],
];

const TIMES: readonly Column[] = [
  ['p50', 'p50Ms'],
  ['p99', 'p99Ms'],
  ['max', 'maxMs'],
];

const COLUMNS: readonly Column[] = [['method', 'method'], ['sent by', 'who'], ...COUNTS, ...TIMES];

const HEAD = COLUMNS.map(([title]) => title);

const toRow = (one: MethodStats): Row => COLUMNS.map(([, member]) => one[member]);

const stacked = (one: MethodStats, width: number): string[] => {
  const named = ([title, member]: Column) => `${title} ${one[member] ?? '-'}`;
  const below = [[`by the ${one.who}`, ...COUNTS.map(named)], TIMES.map(named)];
  const lines = below.flatMap((items) => flowTo(items, width - INDENT.length, ', '));
  return [cutTo(toVisible(one.method), width), ...lines.map((line) => INDENT + line)];
};

/** The counts of a session for a program: JSON without control characters. */
export const toStatsJson = (stats: Stats): string => toVisibleLines(JSON.stringify(stats, null, 2));

/** A row; numbers are aligned right, null is shown as `-`. */
type Row = readonly (string | number | null)[];

/** A column of names is never cut to fewer columns than this. */
const MIN_NAME = 12;

/** Rows with aligned columns. If they are wider than `width`, the names in the column `named` are cut; undefined if the numbers still do not fit. */
export const toTable = (rows: readonly Row[], named: number, width: number): string[] | undefined => {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? '-' : toVisible(String(cell)))));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => widthOf(row[i] ?? ''))));
  const beyond = widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1)) - width;
  const name = widths[named] ?? 0;
  if (beyond > 0 && name - beyond < Math.min(name, MIN_NAME)) return undefined;
  const fitted = widths.map((one, i) => (i === named && beyond > 0 ? one - beyond : one));
  return texts.map((row, y) => {
    const cells = row.map((text, i) => {
      const columns = fitted[i] ?? 0;
      return typeof rows[y]?.[i] === 'string' ? padTo(cutTo(text, columns), columns) : text.padStart(columns);
    });
    return cells.join(GAP).trimEnd();
  });
};

const GAP = '  ';
