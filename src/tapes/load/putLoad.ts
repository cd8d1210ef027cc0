/** Plays sessions many times, several at once, and measures: response times, runs that differ, memory of the server. */
import {
  connect,
  defer,
  endWith,
  filter,
  ignoreElements,
  interval,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  range,
  scan,
  startWith,
  takeUntil,
  timestamp,
} from 'rxjs';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { LaneResult } from '../diff/compare';
import type { Session } from '../format/tape';
import { isFailure } from '../session/pairCalls';
import { toSessionIndex } from '../session/toSessionIndex';
import type { VerifiedSession } from '../sessions/verifySession';

/** How much load. */
export type LoadPlan = {
  /** How often each session is played. */
  times: number;
  /** How many are played at once. */
  parallel: number;
};

/** What a load needs. */
export type LoadPorts<S> = {
  /** Plays a session against a server of its own. Emits once. */
  play: (session: S) => Observable<VerifiedSession>;
  /** The memory of the largest server that runs, in bytes; undefined if none runs, or if it cannot be read. */
  memory: () => number | undefined;
  /** Emits if the load is to end early; what was measured by then counts. */
  stop$: Observable<unknown>;
};

/** Requests of one kind. */
export type LoadedMethod = { method: string; errors: number; latencies: Latencies };

/** A run that differs from the tape. */
type DifferingRun = {
  /** From 1. */
  run: number;
  now: Session;
  results: readonly LaneResult[];
};

/** The memory of the largest server, in parts of the time. */
export type MemoryOverTime = {
  /** How long a part is. */
  everyMs: number;
  /** The most in each part, in bytes. */
  parts: readonly number[];
};

/** What was measured. */
export type LoadReport = {
  runs: number;
  differing: number;
  /** The first of them to end. */
  first?: DifferingRun;
  durationMs: number;
  methods: readonly LoadedMethod[];
  memory: MemoryOverTime;
};

type Measured =
  | ({ kind: 'run'; run: number } & Pick<VerifiedSession, 'now' | 'results'>)
  | { kind: 'memory'; bytes: number };

/** How often memory is looked at. */
const SAMPLE_MS = 250;
/** With more parts, two become one. */
const MAX_PARTS = 60;

const NOTHING: LoadReport = {
  runs: 0,
  differing: 0,
  durationMs: 0,
  methods: [],
  memory: { everyMs: SAMPLE_MS, parts: [] },
};

/**
 * Emits the report once all runs are over, or `stop$` emits, and completes. Errors with the first run that errors.
 *   runs   (12)--(34)-|     two at once
 *   out    -----------(R|)
 */
export const putLoad = <S>(
  { play, memory, stop$ }: LoadPorts<S>,
  sessions: readonly S[],
  { times, parallel }: LoadPlan,
): Observable<LoadReport> =>
  defer(() => {
    const run$ = range(0, times * sessions.length).pipe(
      mergeMap((at) => play(sessions[at % sessions.length] as S).pipe(map(toRun(at + 1))), parallel),
    );
    const measured$ = run$.pipe(
      connect((shared$) => merge(shared$, samples(memory).pipe(takeUntil(shared$.pipe(ignoreElements(), endWith(0)))))),
      takeUntil(stop$),
    );
    return measured$.pipe(
      startWith(undefined),
      timestamp(),
      scan<{ value: Measured | undefined; timestamp: number }, { report: LoadReport; startMs?: number }>(
        ({ report, startMs }, { value, timestamp: atMs }) => ({
          startMs: startMs ?? atMs,
          report: value === undefined ? report : measure(report, value, atMs - (startMs ?? atMs)),
        }),
        { report: NOTHING },
      ),
      map(({ report }) => report),
      last(),
    );
  });

const toRun =
  (run: number) =>
  ({ now, results }: VerifiedSession): Measured => ({ kind: 'run', run, now, results });

const samples = (memory: LoadPorts<never>['memory']): Observable<Measured> =>
  interval(SAMPLE_MS).pipe(
    map(() => memory()),
    filter((bytes) => bytes !== undefined),
    map((bytes) => ({ kind: 'memory', bytes })),
  );

const measure = (report: LoadReport, item: Measured, durationMs: number): LoadReport => {
  if (item.kind === 'memory')
    return { ...report, durationMs, memory: withMemory(report.memory, durationMs, item.bytes) };
  const { run, now, results } = item;
  const differs = results.some(({ difference }) => difference !== undefined);
  return {
    ...report,
    durationMs,
    runs: report.runs + 1,
    differing: report.differing + (differs ? 1 : 0),
    methods: withCalls(report.methods, now),
    ...(differs && { first: report.first ?? { run, now, results } }),
  };
};

const withMemory = ({ everyMs, parts }: MemoryOverTime, atMs: number, bytes: number): MemoryOverTime => {
  const part = Math.floor(atMs / everyMs);
  if (part >= MAX_PARTS) return withMemory({ everyMs: 2 * everyMs, parts: halved(parts) }, atMs, bytes);
  const all = Array.from({ length: Math.max(parts.length, part + 1) }, (_, at) => parts[at] ?? 0);
  return { everyMs, parts: all.with(part, Math.max(all[part] ?? 0, bytes)) };
};

const halved = (parts: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(parts.length / 2) }, (_, at) => Math.max(parts[2 * at] ?? 0, parts[2 * at + 1] ?? 0));

const withCalls = (methods: readonly LoadedMethod[], now: Session): LoadedMethod[] => {
  const { calls, messages } = toSessionIndex(now);
  const all = new Map(methods.map((one) => [one.method, one]));
  const times = new Map<string, number[]>();
  for (const { from, request, response } of calls) {
    const [asked, answer] = [messages[request], messages[response ?? -1]];
    if (from !== 'client' || asked === undefined) continue;
    const method = labelOf(asked.message);
    const before = all.get(method) ?? { method, errors: 0, latencies: NO_LATENCIES };
    const isError = answer?.message.kind !== 'response' || isFailure(answer.message);
    all.set(method, { ...before, errors: before.errors + (isError ? 1 : 0) });
    const own = times.get(method) ?? [];
    if (answer !== undefined) own.push(answer.t - asked.t);
    times.set(method, own);
  }
  return [...all.values()].map((one) => ({
    ...one,
    latencies: withLatencies(one.latencies, times.get(one.method) ?? []),
  }));
};

/** Response times of one kind of request. */
export type Latencies = {
  /** How many fell into each bucket. */
  readonly buckets: ReadonlyMap<number, number>;
  readonly count: number;
  readonly maxMs: number;
};

/** The latencies before the first response. */
export const NO_LATENCIES: Latencies = { buckets: new Map(), count: 0, maxMs: 0 };

/** The shortest time that differs from 0. */
const LEAST_MS = 0.001;
/** The bounds of a bucket differ by this factor. */
const GROWTH = 1.02;

const bucketOf = (ms: number): number =>
  ms < LEAST_MS ? 0 : 1 + Math.floor(Math.log(ms / LEAST_MS) / Math.log(GROWTH));

/** The latencies with more response times, in ms. */
export const withLatencies = (before: Latencies, times: readonly number[]): Latencies => {
  const buckets = new Map(before.buckets);
  for (const ms of times) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
  const maxMs = times.reduce((max, ms) => Math.max(max, ms), before.maxMs);
  return { buckets, count: before.count + times.length, maxMs };
};

/** The time that this part of all responses did not exceed, in ms; null without a response. @param part from 0 to 1 */
export const latencyAt = ({ buckets, count, maxMs }: Latencies, part: number): number | null => {
  if (count === 0) return null;
  const rank = Math.max(1, Math.ceil(count * part));
  let passed = 0;
  for (const [bucket, own] of [...buckets].toSorted(([a], [b]) => a - b)) {
    passed += own;
    if (passed >= rank) return bucket === 0 ? 0 : Math.min(maxMs, LEAST_MS * GROWTH ** (bucket - 0.5));
  }
  return maxMs;
};
