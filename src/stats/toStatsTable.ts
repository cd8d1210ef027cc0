/** Shows counts as a table of text. */
import { toVisible, toVisibleLines } from '../log';
import { isObject } from '../protocol/jsonrpc';
import { padTo, widthOf } from '../terminal';
import type { MethodStats, Stats } from './toStats';

const nameOf = (party: unknown): string =>
  isObject(party) ? [party.name, party.version].filter((part) => typeof part === 'string').join(' ') : 'unknown';

/** Rows with aligned columns; numbers are aligned right. */
const toTable = (rows: readonly (readonly (string | number | null)[])[]): string[] => {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? '-' : toVisible(String(cell)))));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => widthOf(row[i] ?? ''))));
  return texts.map((row, y) =>
    row
      .map((cell, i) =>
        typeof (rows[y] ?? [])[i] === 'string' ? padTo(cell, widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
};

const methodRow = ({ method, who, count, answered, errors, p50Ms, p99Ms, maxMs }: MethodStats) => [
  method,
  who,
  count,
  answered,
  errors,
  p50Ms,
  p99Ms,
  maxMs,
];

/** The counts of a session for a person, in lines. Nothing of a tape in them can command a terminal. */
export const toStatsTable = (stats: Stats): string[] => {
  const { server, client, protocol, durationMs, lines, bytes, methods, notifications, slowest } = stats;
  const section = (title: string, rows: string[]) =>
    rows.length === 0 ? [] : ['', title, ...rows.map((row) => `  ${row}`)];
  return [
    toVisible(
      `server ${nameOf(server)}, client ${nameOf(client)}, protocol ${protocol ?? 'unknown'}, ${Math.round(durationMs)} ms`,
    ),
    ...section('lines and bytes', toTable(Object.entries(lines).map(([dir, count]) => [dir, count, bytes[dir] ?? 0]))),
    ...section(
      'requests (ms until the response)',
      methods.length === 0 ? [] : toTable([HEAD, ...methods.map(methodRow)]),
    ),
    ...section('notifications', toTable(Object.entries(notifications).map(([method, count]) => [method, count]))),
    ...section('slowest', toTable(slowest.map(({ ms, method, lineNumber }) => [ms, method, `line ${lineNumber}`]))),
  ];
};

const HEAD = ['method', 'sent by', 'count', 'answered', 'errors', 'p50', 'p99', 'max'];

/** The counts of a session for a program: JSON, in which characters that a terminal would obey are escaped. */
export const toStatsJson = (stats: Stats): string => toVisibleLines(JSON.stringify(stats, null, 2));
