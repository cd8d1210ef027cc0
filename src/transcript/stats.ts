/** Owns counting what a session holds: lines, bytes, how long answers took. */
import { isObject } from '../protocol';
import { type Recording, toRecording } from './recording';
import type { Session } from './tape';
import { labelOf, type Word } from './words';

/** How long answers took, in ms. `who` asked. `errors` are among the answered. */
export type MethodStats = {
  method: string;
  who: 'client' | 'server';
  count: number;
  answered: number;
  errors: number;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
};

/** A request whose answer took long. */
export type SlowCall = { lineNumber: number; method: string; who: 'client' | 'server'; ms: number };

/** `lines` and `bytes` are by direction, those of inner seams under `seam.direction`. */
export type Stats = {
  server: unknown;
  client: unknown;
  protocol: unknown;
  durationMs: number;
  lines: Record<string, number>;
  bytes: Record<string, number>;
  methods: MethodStats[];
  notifications: Record<string, number>;
  slowest: SlowCall[];
};

type Call = { who: 'client' | 'server'; word: Word; lineNumber: number; ms?: number; failed: boolean };

const SLOWEST = 5;

/** Counts a session. */
export const toStats = (session: Session): Stats => {
  const recording = toRecording(session);
  const calls = [...clientCalls(recording), ...serverCalls(recording)];
  const lines: Record<string, number> = {};
  const bytes: Record<string, number> = {};
  for (const { entry } of session.entries) {
    const key = entry.seam === undefined || entry.seam === 'mcp' ? entry.dir : `${entry.seam}.${entry.dir}`;
    add(lines, key, 1);
    add(bytes, key, Buffer.byteLength(entry.line) + (entry.end ?? '\n').length);
  }
  return {
    ...partiesOf(recording),
    durationMs: (session.entries.at(-1)?.entry.t ?? 0) - (session.entries[0]?.entry.t ?? 0),
    lines,
    bytes,
    methods: toMethods(calls),
    notifications: countNotifications(recording),
    slowest: calls
      .flatMap(({ ms, lineNumber, who, word }) =>
        ms === undefined ? [] : [{ lineNumber, method: labelOf(word), who, ms }],
      )
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST),
  };
};

const add = (counts: Record<string, number>, key: string, much: number): void => {
  counts[key] = (counts[key] ?? 0) + much;
};

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** Who talked, as `initialize` has it. */
const partiesOf = ({ heard, told }: Recording) => {
  const opening = heard.findIndex(({ words }) =>
    words.some((word) => 'method' in word && word.method === 'initialize'),
  );
  const [asked] = heard[opening]?.words ?? [];
  const answer = told.find(({ owner, words }) => owner === opening && words[0]?.kind === 'response')?.words[0];
  const result = answer?.kind === 'response' && isObject(answer.body.result) ? answer.body.result : {};
  const params = asked && 'params' in asked && isObject(asked.params) ? asked.params : {};
  return {
    server: result.serverInfo ?? null,
    client: params.clientInfo ?? null,
    protocol: result.protocolVersion ?? null,
  };
};

const clientCalls = ({ heard, told }: Recording): Call[] => {
  const answers = new Map<number, { t: number; failed: boolean }>();
  for (const { owner, t, words } of told) {
    const answer = words.find((word) => word.kind === 'response');
    if (answer?.kind === 'response' && !answers.has(owner)) answers.set(owner, { t, failed: isError(answer) });
  }
  return heard.flatMap(({ words, lineNumber, t }, i) =>
    words.flatMap((word): Call[] => {
      if (word.kind !== 'request') return [];
      const answer = answers.get(i);
      return [
        { who: 'client', word, lineNumber, failed: answer?.failed ?? false, ms: answer && rounded(answer.t - t) },
      ];
    }),
  );
};

const serverCalls = ({ heard, told }: Recording): Call[] =>
  told.flatMap(({ words, lineNumber, t, answered }) =>
    words.flatMap((word): Call[] => {
      if (word.kind !== 'request') return [];
      const answer = answered === undefined ? undefined : heard[answered];
      const failed = answer?.words.some(isError) ?? false;
      return [{ who: 'server', word, lineNumber, failed, ms: answer && rounded(answer.t - t) }];
    }),
  );

const isError = (word: Word): boolean => word.kind === 'response' && 'error' in word.body;

const toMethods = (calls: readonly Call[]): MethodStats[] => {
  const byMethod = new Map<string, Call[]>();
  for (const call of calls) {
    const key = `${call.who} ${labelOf(call.word)}`;
    const own = byMethod.get(key);
    if (own) own.push(call);
    else byMethod.set(key, [call]);
  }
  return [...byMethod.values()].map((own) => {
    const [first] = own as [Call];
    const times = own.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
    return {
      method: labelOf(first.word),
      who: first.who,
      count: own.length,
      answered: times.length,
      errors: own.filter(({ failed }) => failed).length,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      maxMs: times.at(-1) ?? null,
    };
  });
};

/** The least value that so large a part of all does not exceed. */
const percentile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;

const countNotifications = ({ told }: Recording): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { words } of told) for (const word of words) if (word.kind === 'notification') add(counts, word.method, 1);
  return counts;
};
