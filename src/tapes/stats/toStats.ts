/** Counts what a session holds: lines, bytes, how long responses took; and shows the counts as a table of text. */

import { cutTo, flowTo, padTo, widthOf } from '../../io/terminal/width';
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { isTimerSeam } from '../format/seams';
import type { NumberedEntry } from '../format/tape';
import { groupBy } from '../session/groupBy';
import { isFailure } from '../session/pairCalls';
import { eventTypeOf } from '../session/pairingKey';
import type { Call, SessionIndex } from '../session/sessionIndex';

/** Requests of one method, and how long their responses took. */
type MethodStats = {
  method: string;
  /** Who sent the requests. */
  who: 'client' | 'server';
  count: number;
  answered: number;
  /** Among `answered`: errors, and results with `isError`. */
  errors: number;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
};

type SlowCall = { lineNumber: number; method: string; who: 'client' | 'server'; ms: number };

/** The counts of a session. */
type Stats = {
  server: unknown;
  client: unknown;
  protocol: unknown;
  durationMs: number;
  /** By direction; at inner seams by `seam.direction`. */
  lines: Record<string, number>;
  /** By direction; at inner seams by `seam.direction`. */
  bytes: Record<string, number>;
  methods: MethodStats[];
  notifications: Record<string, number>;
  /** How prompts ended and questions were answered: the method and the outcome. */
  outcomes: Record<string, number>;
  slowest: SlowCall[];
};

type TimedCall = Pick<MethodStats, 'who' | 'method'> & { lineNumber: number; ms?: number; isError: boolean };

const SLOWEST = 5;

/** Counts a session. Blank lines do not count. */
export const toStats = (index: SessionIndex): Stats => {
  const { entries, parties } = index;
  const { server = null, client = null, protocol = null } = parties;
  const calls = [...timedCalls(index, 'client'), ...timedCalls(index, 'server')];
  return {
    server,
    client,
    protocol,
    durationMs: (entries.at(-1)?.entry.t ?? 0) - (entries[0]?.entry.t ?? 0),
    lines: sumBy(entries, directionOf, () => 1),
    bytes: sumBy(entries, directionOf, ({ entry }) => Buffer.byteLength(entry.line) + (entry.end ?? '\n').length),
    methods: [...groupBy(calls, ({ who, method }) => `${who} ${method}`).values()].map(toMethod),
    notifications: countNotifications(index),
    outcomes: countOutcomes(index),
    slowest: toSlowest(calls),
  };
};

/** Timers of all lengths count together. */
const directionOf = ({ entry: { seam = 'mcp', dir } }: NumberedEntry): string => {
  if (seam === 'mcp') return dir;
  return `${isTimerSeam(seam) ? 'timer' : seam}.${dir}`;
};

const sumBy = <T>(items: readonly T[], keyOf: (item: T) => string, sizeOf: (item: T) => number) => {
  const sums = new Map<string, number>(); // no object: a tape may use names of its members, such as `constructor`
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + sizeOf(item));
  return Object.fromEntries(sums);
};

const timedCalls = ({ calls, messages }: SessionIndex, who: Call['from']): TimedCall[] =>
  calls.flatMap(({ from, request, response }): TimedCall[] => {
    const [asked, answered] = [messages[request], messages[response ?? -1]];
    if (from !== who || asked === undefined) return [];
    const isError = answered?.message.kind === 'response' && isFailure(answered.message);
    const ms = answered && rounded(answered.t - asked.t);
    return [{ who, method: labelOf(asked.message), lineNumber: asked.lineNumber, ms, isError }];
  });

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

const toSlowest = (calls: readonly TimedCall[]): SlowCall[] =>
  calls
    .flatMap(({ ms, lineNumber, who, method }) => (ms === undefined ? [] : [{ lineNumber, method, who, ms }]))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);

const toMethod = (calls: readonly TimedCall[]): MethodStats => {
  const [{ method, who }] = calls as [TimedCall];
  const times = calls.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
  return {
    method,
    who,
    count: calls.length,
    answered: times.length,
    errors: calls.filter(({ isError }) => isError).length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    maxMs: times.at(-1) ?? null,
  };
};

/** The smallest value that is at least as large as this part of all values. */
const percentile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;

const countNames = (names: readonly string[]): Record<string, number> =>
  sumBy(
    names,
    (name) => name,
    () => 1,
  );

/** An agent sends all its updates by one method. */
const countNotifications = ({ messages }: SessionIndex): Record<string, number> =>
  countNames(
    messages.flatMap(({ from, message }) => {
      if (from !== 'server' || message.kind !== 'notification') return [];
      const { method, params } = message;
      return [method === 'session/update' ? `${method} ${eventTypeOf(params)}`.trim() : method];
    }),
  );

/** The outcome in a result, by the method of its request. Source: Agent Client Protocol 1; MCP 2025-11-25; codex 0.28.0 (`decision`). */
const OUTCOMES: Readonly<Record<string, (result: JsonObject, params: JsonObject) => unknown>> = {
  'session/prompt': ({ stopReason }) => stopReason,
  'session/request_permission': ({ outcome }, { options }) => {
    const { outcome: kind, optionId } = toObject(outcome);
    const chosen = Array.isArray(options)
      ? options.find((option) => toObject(option).optionId === optionId)
      : undefined;
    return toObject(chosen).kind ?? kind;
  },
  'elicitation/create': ({ action, decision }) => action ?? decision,
  'sampling/createMessage': ({ stopReason }) => stopReason,
};

const countOutcomes = ({ calls, messages }: SessionIndex): Record<string, number> =>
  countNames(
    calls.flatMap(({ request, response }) => {
      const [asked, answered] = [messages[request]?.message, messages[response ?? -1]?.message];
      if (asked?.kind !== 'request' || answered?.kind !== 'response' || !Object.hasOwn(OUTCOMES, asked.method))
        return [];
      const outcome = OUTCOMES[asked.method]?.(toObject(answered.body.result), toObject(asked.params));
      return typeof outcome === 'string' ? [`${asked.method} ${outcome}`] : [];
    }),
  );

const nameOf = (party: unknown): string =>
  isObject(party) ? [party.name, party.version].filter((part) => typeof part === 'string').join(' ') : 'unknown';

/**
 * The counts of a session for a person, in lines of at most `width` columns if the numbers fit. No control character of a tape reaches the terminal.
 */
export const toStatsTable = (stats: Stats, width = Number.POSITIVE_INFINITY): string[] => {
  const { server, client, protocol, durationMs, lines, bytes, methods, notifications, outcomes, slowest } = stats;
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
    : (toTable([HEAD, ...methods.map(Object.values<Row[number]>)], 0, width) ??
      methods.flatMap((one) => stacked(one, width)));

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

/** The counts of a session for a program: JSON without control characters. */
export const toStatsJson = (stats: Stats): string => toVisibleLines(JSON.stringify(stats, null, 2));

/** A row; numbers are aligned right, null is shown as `-`. */
type Row = readonly (string | number | null)[];

/** A column of names is never cut to fewer columns than this. */
const MIN_NAME = 12;

/**
 * Rows with aligned columns. If they are wider than `width`, the names in the column `named` are cut; undefined if the numbers still do not fit.
 */
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
