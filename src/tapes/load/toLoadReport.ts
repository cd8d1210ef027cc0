/** Reports a load: as text, as JSON or as JUnit. */
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { LaneResult } from '../diff/compare';
import { toReports } from '../diff/toReport';
import { toTable } from '../stats/statsTable';
import { latencyAt } from './latencies';
import type { LoadedMethod, LoadPlan, LoadReport, MemoryOverTime } from './putLoad';

type LoadLook = { format: 'text' | 'json' | 'junit'; columns: number; name: string; plan: LoadPlan };

/** The report on a load. No control character of a tape reaches the terminal. */
export const toLoadReport = ({ format, columns, name, plan }: LoadLook, load: LoadReport): string => {
  const { first } = load;
  const compared = first === undefined ? [] : [{ name: `${name} run ${first.run}`, results: first.results }];
  if (format === 'junit')
    return toReports({ format, columns }, compared.length > 0 ? compared : [{ name, results: [asOne(load)] }]);
  if (format === 'json') return `${toVisibleLines(JSON.stringify(toJson(load, plan), null, 2))}\n`;
  const difference = first === undefined ? '' : `${toReports({ format, columns }, compared)}\n`;
  const lines = [toSummary(load, plan), '', ...toMethods(load.methods, columns), ...toMemory(load.memory)];
  return `${difference}${lines.map(toVisible).join('\n')}\n`;
};

/** All runs as one result that does not differ. */
const asOne = ({ runs }: LoadReport): LaneResult => ({
  label: counted(runs, 'run'),
  lineNumber: 0,
  recorded: [],
  now: [],
});

const toSummary = ({ runs, differing, first, durationMs, methods }: LoadReport, { parallel }: LoadPlan): string => {
  const rate = perSecond(methods, durationMs);
  const facts = `${counted(runs, 'run')}, ${parallel} at once, ${(durationMs / 1_000).toFixed(1)} s, ${rate} requests per second`;
  return first === undefined
    ? `SAME: ${facts}`
    : `DIFFERS: ${differing} of ${facts}; the first that differed was run ${first.run}`;
};

const perSecond = (methods: readonly LoadedMethod[], durationMs: number): number => {
  const count = methods.reduce((sum, { latencies }) => sum + latencies.count, 0);
  return durationMs === 0 ? 0 : Math.round((10_000 * count) / durationMs) / 10;
};

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const;

const rounded = (ms: number | null): number | null => ms && Math.round(100 * ms) / 100;

const timesOf = ({ latencies }: LoadedMethod): (number | null)[] => [
  ...PERCENTILES.map(([, part]) => rounded(latencyAt(latencies, part))),
  latencies.count === 0 ? null : rounded(latencies.maxMs),
];

const toMethods = (methods: readonly LoadedMethod[], columns: number): string[] => {
  const head = ['ms until the response', 'count', 'errors', ...PERCENTILES.map(([name]) => name), 'max'];
  const rows = methods.map((one) => [one.method, one.latencies.count, one.errors, ...timesOf(one)]);
  return toTable([head, ...rows], 0, columns) ?? toTable([head, ...rows], 0, Number.POSITIVE_INFINITY) ?? [];
};

const MB = 1_000_000;
const BARS = '▁▂▃▄▅▆▇█';

const toMemory = ({ parts }: MemoryOverTime): string[] => {
  const most = Math.max(0, ...parts);
  if (most === 0) return [];
  const bars = parts.map((bytes) => BARS[Math.floor((bytes / most) * (BARS.length - 1))]).join('');
  return ['', `memory of the largest server: ${bars} ${Math.round(most / MB)} MB at most`];
};

const toJson = (load: LoadReport, { parallel }: LoadPlan) => {
  const { runs, differing, first, durationMs, methods, memory } = load;
  return {
    same: differing === 0,
    runs,
    parallel,
    differing,
    ...(first && { firstDifferingRun: first.run }),
    durationMs: Math.round(durationMs),
    requestsPerSecond: perSecond(methods, durationMs),
    methods: methods.map((one) => {
      const [p50Ms, p90Ms, p99Ms, p999Ms, maxMs] = timesOf(one);
      return { method: one.method, count: one.latencies.count, errors: one.errors, p50Ms, p90Ms, p99Ms, p999Ms, maxMs };
    }),
    memory: { maxBytes: Math.max(0, ...memory.parts) || null, everyMs: memory.everyMs, bytes: memory.parts },
  };
};
