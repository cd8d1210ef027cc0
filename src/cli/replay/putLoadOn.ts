/** `codex-rx replay FILE --times N -- COMMAND`: puts load on a server. */
import { basename } from 'node:path';
import { concatMap, map, type Observable, tap } from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, loadSessions } from '../../app/tapes/loadTape';
import { checkNew, toTapeText, writeNew } from '../../app/tapes/writeFiles';
import { memoryOf } from '../../io/processes/descendants';
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { LaneResult } from '../../tapes/diff/compare';
import { toReports } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import {
  type LoadedMethod,
  type LoadPlan,
  type LoadReport,
  latencyAt,
  type MemoryOverTime,
  putLoad,
} from '../../tapes/load/putLoad';
import { toTable } from '../../tapes/stats/statsTable';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { interruption } from '../signals';
import { tapeDeps } from '../tapeCommand';
import { columnsOf, print, printOver } from '../terminal';
import type { Replay } from './options';
import type { TapeChoice } from './serveTape';
import { learnFrom, player, toPace } from './verifyTape';

/** Plays the sessions of a tape so often, and writes the report: exit code 1 if a run differs. A signal ends it with what was played by then. */
export const putLoadOn = (given: Replay, choice: TapeChoice, times: number): void => {
  const plan = { times, parallel: given.parallel };
  process.exitCode = exitCode.ok;
  startLoad(given, choice, plan)
    .pipe(
      tap({ next: () => printOver(''), error: () => printOver('') }),
      tap(({ first }) => {
        if (first && given.out !== undefined) writeNew(given.out, toTapeText(first.now));
      }),
    )
    .subscribe({
      next: (load) => {
        const look = { format: given.report, columns: columnsOf(process.stdout), name: basename(choice.path), plan };
        print(toLoadReport(look, load));
        if (load.first !== undefined && process.exitCode === exitCode.ok) process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(exitWhenWritten('replay'));
};

const startLoad = (
  given: Replay,
  choice: TapeChoice,
  plan: { times: number; parallel: number },
): Observable<LoadReport> => {
  const deps = tapeDeps('replay');
  const { command, timeout, speed, like, out } = given;
  const memory = memoryOfServers();
  const { env } = process;
  const own = { env, cwd: process.cwd(), version, started: new Date(), clock: performance, onStart: memory.add };
  const damaged = given['allow-damaged'] ? undefined : '--allow-damaged';
  return loadSessions(deps, { path: choice.path, number: choice.session }, damaged).pipe(
    tap(() => checkNew([out])),
    concatMap((sessions) => {
      const masks = loadMasks(deps.remark, choice.path, given);
      for (const { session } of sessions) checkWhole(session, choice.allow);
      const options = { command, masks, limitMs: timeout * 1_000, pace: toPace(speed) };
      return learnFrom(deps, like, { sessions, masks }).pipe(
        map((learned) => player({ ...deps, ...own }, options, learned)),
        map(withProgress(plan.times * sessions.length)),
        concatMap((play) => putLoad({ play, memory: memory.largest, stop$: interruption() }, sessions, plan)),
      );
    }),
  );
};

/** Shows in a terminal how far it is. */
const withProgress = (total: number) => {
  let done = 0;
  const count = (): void => {
    done += 1;
    printOver(`${done} of ${counted(total, 'run')}`);
  };
  return <S, R>(play: (session: S) => Observable<R>) =>
    (session: S): Observable<R> =>
      play(session).pipe(tap(count));
};

/** The processes of servers that were started, and how much memory the largest of those takes that still run. */
const memoryOfServers = () => {
  const running = new Set<number>();
  return {
    add: (pid: number): void => void running.add(pid),
    largest: (): number | undefined => {
      const sizes = [...running].flatMap((pid) => {
        const bytes = memoryOf(pid);
        if (bytes === undefined) running.delete(pid);
        return bytes ?? [];
      });
      return sizes.length === 0 ? undefined : Math.max(...sizes);
    },
  };
};

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
