/** Shows counts as a table of text. */
import { toVisible, toVisibleLines } from '../../io/log/toVisible';
import { cutTo, flowTo } from '../../io/terminal/width';
import { isObject } from '../../protocol/jsonrpc/json';
import type { MethodStats, Stats } from './toStats';
import { type Row, toTable } from './toTable';

const nameOf = (party: unknown): string =>
  isObject(party) ? [party.name, party.version].filter((part) => typeof part === 'string').join(' ') : 'unknown';

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

/**
 * The counts of a session for a person, in lines of at most `width` columns where the numbers fit. No control character of a tape reaches the
 * terminal.
 */
export const toStatsTable = (stats: Stats, width = Number.POSITIVE_INFINITY): string[] => {
  const { server, client, protocol, durationMs, lines, bytes, methods, notifications, slowest } = stats;
  const section = (title: string, rows: string[]) =>
    rows.length === 0 ? [] : ['', ...flowTo(title.split(' '), width, ' '), ...rows.map((row) => `${INDENT}${row}`)];
  const table = (rows: readonly Row[], named: number): string[] =>
    toTable(rows, named, width - INDENT.length) ?? toTable(rows, named, Number.POSITIVE_INFINITY) ?? [];
  const head = [`server ${nameOf(server)}`, `client ${nameOf(client)}`, `protocol ${protocol ?? 'unknown'}`];
  return [
    ...flowTo([...head.map(toVisible), `${Math.round(durationMs)} ms`], width, ', ').map((line) => cutTo(line, width)),
    ...section(
      'lines and bytes',
      table(
        Object.entries(lines).map(([dir, count]) => [dir, count, bytes[dir] ?? 0]),
        0,
      ),
    ),
    ...section('requests (ms until the response)', toMethods(methods, width - INDENT.length)),
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

/** A table, or where it is too wide, a name and its numbers below. */
const toMethods = (methods: readonly MethodStats[], width: number): string[] =>
  methods.length === 0
    ? []
    : (toTable([HEAD, ...methods.map(methodRow)], 0, width) ?? methods.flatMap((one) => stacked(one, width)));

const stacked = (
  { method, who, count, answered, errors, p50Ms, p99Ms, maxMs }: MethodStats,
  width: number,
): string[] => {
  const counts = [`by the ${who}`, `count ${count}`, `answered ${answered}`, `errors ${errors}`];
  const times = [`p50 ${p50Ms ?? '-'}`, `p99 ${p99Ms ?? '-'}`, `max ${maxMs ?? '-'}`];
  const below = [counts, times].flatMap((items) => flowTo(items, width - INDENT.length, ', '));
  return [cutTo(toVisible(method), width), ...below.map((line) => INDENT + line)];
};

const HEAD = ['method', 'sent by', 'count', 'answered', 'errors', 'p50', 'p99', 'max'];

/** The counts of a session for a program: JSON, in which characters that a terminal would obey are escaped. */
export const toStatsJson = (stats: Stats): string => toVisibleLines(JSON.stringify(stats, null, 2));
