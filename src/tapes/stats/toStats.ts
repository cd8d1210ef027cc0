/** Counts what a session holds: lines, bytes, how long responses took. */

import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { isTimerSeam } from '../format/seams';
import type { NumberedEntry } from '../format/tape';
import { groupBy } from '../session/groupBy';
import { isFailure } from '../session/pairCalls';
import type { Call, SessionIndex } from '../session/sessionIndex';

/** Requests of one method, and how long their responses took. */
export type MethodStats = {
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
export type Stats = {
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
    methods: toMethods(calls),
    notifications: countNotifications(index),
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

const toMethods = (calls: readonly TimedCall[]): MethodStats[] =>
  [...groupBy(calls, ({ who, method }) => `${who} ${method}`).values()].map(toMethod);

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

const countNotifications = ({ messages }: SessionIndex): Record<string, number> => {
  const methods = messages.flatMap(({ from, message }) =>
    from === 'server' && message.kind === 'notification' ? [message.method] : [],
  );
  return sumBy(
    methods,
    (method) => method,
    () => 1,
  );
};
