/** The running MCP servers, and their tools as tools that a model may call. */
import {
  catchError,
  defer,
  forkJoin,
  identity,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  type SchedulerLike,
  share,
  subscribeOn,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import { muted } from '../../streams/ends';
import { toTimerMs } from '../../streams/time/wait';
import { toRow } from '../tools/tool';
import { UNUSED_THREADS } from '../turns/releaseUnused';
import { offerTools, type RunningServer } from './listTools';
import {
  type ApprovalSettings,
  NO_TOOLS,
  NotStarted,
  serverTool,
  type ToolServer,
  type ToolServerSpec,
  type ToolSet,
} from './toolServer';

type ToolServersDeps = {
  /** Starts a server; see openToolServer. */
  open: (name: string, spec: ToolServerSpec) => Observable<ToolServer>;
  /** Returns 40 hex digits for a text. */
  hash: (text: string) => string;
  /** In ms. */
  now: () => number;
  /** How long a server runs without a turn that uses it; by default as long as an unused thread stays. */
  unusedMs?: number;
  /** Emits after so many ms; a timer by default. */
  after?: (ms: number) => Observable<unknown>;
  /** When servers start, many of which may start at once: see `startsInTurns`. By default at once. */
  starts?: SchedulerLike;
  /** Emits when there will be no more calls, which ends all servers. */
  over$: Observable<unknown>;
};

/** The servers of a thread, and what decides whether a person is asked about their tools. */
type ServerSettings = ApprovalSettings & {
  servers: Readonly<Record<string, ToolServerSpec>>;
};

/** How long a failed start is cached. */
const LEAVE_MS = 30_000;

/** Source: Codex 0.28.0. */
const NAME = /^[a-zA-Z0-9_-]+$/;

type Started = { running: RunningServer[]; failures: string[]; inUse$?: Observable<never> };

/**
 * The servers of a configuration, started in parallel by the first turn that needs them, kept for the next, and
 * shared by all threads with the same configuration of them. A server that died, or that ended because no turn used it for long, is restarted by the
 * next turn or call. Emits the tools once every server has answered or failed; a server that fails does not affect the others. Never errors.
 */
export const toolServers = (deps: ToolServersDeps) => {
  const known = new Map<string, Observable<ToolServer>>(); // changed in place; one entry for each server that a thread needed
  const serverOf = (name: string, spec: ToolServerSpec): Observable<ToolServer> => {
    const key = JSON.stringify([name, spec]);
    const server$ = known.get(key) ?? shared(deps, name, spec);
    known.set(key, server$);
    return server$;
  };
  return ({ servers, ...settings }: ServerSettings): Observable<ToolSet> => {
    const started = Object.entries(servers).map(([name, spec]) => start(name, spec, serverOf(name, spec)));
    if (started.length === 0) return of(NO_TOOLS);
    return forkJoin(started).pipe(
      map((all) => ({
        rows: offerTools(
          deps.hash,
          all.flatMap(({ running }) => running),
        ).map((tool) => toRow(serverTool({ now: deps.now, ...settings }, tool))),
        failures: all.flatMap(({ failures }) => failures),
        inUse$: merge(NEVER, ...all.flatMap(({ inUse$ }) => inUse$ ?? [])),
      })),
    );
  };
};

/** One process, which all threads share. A failed start is cached for a while; a server that died is restarted. */
const shared = (
  { open, starts, over$, unusedMs = UNUSED_THREADS.afterMs, after = timer }: ToolServersDeps,
  name: string,
  spec: ToolServerSpec,
): Observable<ToolServer> =>
  defer(() => open(name, spec)).pipe(
    starts ? subscribeOn(starts) : identity,
    takeUntil(over$),
    share({
      connector: () => new ReplaySubject(1),
      resetOnError: (error) => (error instanceof NotStarted ? after(LEAVE_MS) : of(true)),
      resetOnRefCountZero: () => after(toTimerMs(unusedMs)),
    }),
  );

const start = (name: string, spec: ToolServerSpec, server$: Observable<ToolServer>): Observable<Started> =>
  NAME.test(name)
    ? server$.pipe(
        take(1),
        map(({ tools }): Started => {
          const running = [{ name, spec, tools, call$: server$.pipe(take(1)) }];
          return { running, failures: [], inUse$: inUse(server$) };
        }),
        catchError((error: Error) => of(failure(name, error.message))),
      )
    : of(failure(name, `invalid server name '${name}': must match pattern ${NAME.source}`));

/** Keeps a server in use; it is not restarted for this. */
const inUse = (server$: Observable<ToolServer>): Observable<never> =>
  server$.pipe(
    muted(), // calls report it
  );

const failure = (name: string, reason: string): Started => ({
  running: [],
  failures: [`MCP client for \`${name}\` failed to start: ${reason}`],
});
