/** Counts what a session holds: lines, bytes, how long responses took. */
import { type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { isTimerSeam } from '../format/seams';
import type { NumberedEntry } from '../format/tape';
import { isFailure } from '../session/pairCalls';
import { eventTypeOf } from '../session/pairingKey';
import type { Parties } from '../session/parties';
import { callsOf, type Part, type SessionFold } from '../session/readParts';
import type { Call, IndexedMessage, SessionIndex } from '../session/sessionIndex';

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
  /** How prompts ended and questions were answered: the method and the outcome. */
  outcomes: Record<string, number>;
  slowest: SlowCall[];
};

const SLOWEST = 5;

/** Counts by names. A map: a tape may use names of the members of every object, such as `constructor`. */
type Sums = Map<string, number>;

/** The calls of one method by one side; `times` in ms. */
type Calls = Pick<MethodStats, 'method' | 'who' | 'count' | 'errors'> & { times: number[] };

type Counts = {
  lines: Sums;
  bytes: Sums;
  notifications: Sums;
  outcomes: Sums;
  calls: Map<string, Calls>;
};

/** Counts a session part by part; of its calls only the times are kept. Blank lines do not count. */
export const tally = (): SessionFold<Stats> => {
  const counts: Counts = {
    lines: new Map(),
    bytes: new Map(),
    notifications: new Map(),
    outcomes: new Map(),
    calls: new Map(),
  };
  let parties: Parties = {};
  let slowest: readonly SlowCall[] = [];
  let [firstMs, lastMs]: (number | undefined)[] = [];
  return {
    add: (part) => {
      const entries = part.index.entries.slice(part.carried);
      parties = { ...part.index.parties, ...parties };
      firstMs ??= entries[0]?.entry.t;
      lastMs = entries.at(-1)?.entry.t ?? lastMs;
      for (const one of entries) countEntry(counts, one);
      for (const call of callsOf(part)) slowest = withSlow(slowest, countCall(counts, part, call));
    },
    end: () => ({ ...toCounted(counts, parties), durationMs: (lastMs ?? 0) - (firstMs ?? 0), slowest: [...slowest] }),
  };
};

const increase = (sums: Sums, key: string, by = 1): void => void sums.set(key, (sums.get(key) ?? 0) + by);

/** Timers of all lengths count together. */
const directionOf = ({ entry: { seam = 'mcp', dir } }: NumberedEntry): string => {
  if (seam === 'mcp') return dir;
  return `${isTimerSeam(seam) ? 'timer' : seam}.${dir}`;
};

const countEntry = ({ lines, bytes, notifications }: Counts, one: SessionIndex['entries'][number]): void => {
  const direction = directionOf(one);
  increase(lines, direction);
  increase(bytes, direction, Buffer.byteLength(one.entry.line) + (one.entry.end ?? '\n').length);
  for (const { from, message } of one.messages)
    if (from === 'server' && message.kind === 'notification') increase(notifications, nameOf(message));
};

/** An agent sends all its updates by one method. */
const nameOf = ({ method, params }: Extract<TapeMessage, { kind: 'notification' }>): string =>
  method === 'session/update' ? `${method} ${eventTypeOf(params)}`.trim() : method;

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** Counts a call that has its response, or of which none can come any more. Returns how long the response took. */
const countCall = (
  { calls, outcomes }: Counts,
  { index, isLast }: Part,
  { from: who, request, response }: Call,
): SlowCall | undefined => {
  const asked = index.messages[request] as IndexedMessage;
  const answer = index.messages[response ?? -1];
  const method = labelOf(asked.message);
  const key = `${who} ${method}`;
  const before = calls.get(key) ?? { who, method, count: 0, errors: 0, times: [] };
  const isOver = answer !== undefined || isLast;
  const isError = answer?.message.kind === 'response' && isFailure(answer.message);
  calls.set(key, { ...before, count: before.count + (isOver ? 1 : 0), errors: before.errors + (isError ? 1 : 0) });
  if (answer === undefined) return undefined;
  const outcome = outcomeOf(asked.message, answer.message);
  if (outcome !== undefined) increase(outcomes, outcome);
  const ms = rounded(answer.t - asked.t);
  before.times.push(ms);
  return { lineNumber: asked.lineNumber, method, who, ms };
};

/** The client's calls come before those of the server that took as long. */
const withSlow = (slowest: readonly SlowCall[], call: SlowCall | undefined): readonly SlowCall[] => {
  if (call === undefined) return slowest;
  if (slowest.length === SLOWEST && call.ms < (slowest.at(-1) as SlowCall).ms) return slowest;
  const rank = ({ who }: SlowCall): number => (who === 'client' ? 0 : 1);
  return [...slowest, call].toSorted((a, b) => b.ms - a.ms || rank(a) - rank(b)).slice(0, SLOWEST);
};

const toCounted = (
  { lines, bytes, notifications, outcomes, calls }: Counts,
  parties: Parties,
): Omit<Stats, 'durationMs' | 'slowest'> => {
  const { server = null, client = null, protocol = null } = parties;
  const ofSide = (who: Call['from']) => [...calls.values()].filter((one) => one.who === who && one.count > 0);
  return {
    server,
    client,
    protocol,
    lines: Object.fromEntries(lines),
    bytes: Object.fromEntries(bytes),
    methods: [...ofSide('client'), ...ofSide('server')].map(toMethod),
    notifications: Object.fromEntries(notifications),
    outcomes: Object.fromEntries(outcomes),
  };
};

const toMethod = ({ method, who, count, errors, times }: Calls): MethodStats => {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    method,
    who,
    count,
    answered: sorted.length,
    errors,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? null,
  };
};

/** The smallest value that is at least as large as this part of all values. */
const percentile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;

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

const outcomeOf = (asked: TapeMessage, answered: TapeMessage | undefined): string | undefined => {
  if (asked.kind !== 'request' || answered?.kind !== 'response' || !Object.hasOwn(OUTCOMES, asked.method))
    return undefined;
  const outcome = OUTCOMES[asked.method]?.(toObject(answered.body.result), toObject(asked.params));
  return typeof outcome === 'string' ? `${asked.method} ${outcome}` : undefined;
};
