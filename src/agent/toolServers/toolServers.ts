/** The running MCP servers, and what a turn can call of them. */
import {
  catchError,
  defer,
  EMPTY,
  forkJoin,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  share,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import type { ApprovalPolicy } from '../../protocol/codex/settings';
import { toTimerMs } from '../../streams/time/wait';
import { toRow } from '../tools/tool';
import { UNUSED_THREADS } from '../turns/releaseUnused';
import { NotStarted } from './notStarted';
import { offerTools, type RunningServer } from './offerTools';
import { serverTool } from './serverTool';
import { NO_TOOLS, type ToolServer, type ToolServerSpec, type ToolSet } from './toolServer';

/**
 * @param open starts a server; see openToolServer; @param hash returns 40 hex digits for a text; @param now in ms
 * @param unusedMs how long a server runs without a turn that uses it: by default as long as an unused thread stays; @param after emits after that many ms
 * @param over$ emits when there will be no more calls, which ends all servers
 */
export type ToolServersDeps = {
  open: (name: string, spec: ToolServerSpec) => Observable<ToolServer>;
  hash: (text: string) => string;
  now: () => number;
  unusedMs?: number;
  after?: (ms: number) => Observable<unknown>;
  over$: Observable<unknown>;
};

/** The servers of a thread, and whether a person is asked about their tools. */
export type ServerSettings = {
  servers: Readonly<Record<string, ToolServerSpec>>;
  approvalPolicy: ApprovalPolicy;
};

/** How long a server that could not be started is left alone, in ms. */
const LEAVE_MS = 30_000;

/** Source: Codex 0.28.0. */
const NAME = /^[a-zA-Z0-9_-]+$/;

type Started = { running: RunningServer[]; failures: string[]; inUse$?: Observable<never> };

/**
 * The servers of a configuration, started in parallel by the first turn that needs them, kept for the next, and
 * shared by all threads with the same configuration of them. One that died is restarted by the next turn or call, and so is one that ended
 * because no turn used it for long. Emits the tools once every server has answered or failed; one that fails does not affect the others. Never errors.
 */
export const toolServers = (deps: ToolServersDeps) => {
  const known = new Map<string, Observable<ToolServer>>(); // changed in place; one entry for each server that a thread needed
  const serverOf = (name: string, spec: ToolServerSpec): Observable<ToolServer> => {
    const key = JSON.stringify([name, spec]);
    const server$ = known.get(key) ?? shared(deps, name, spec);
    known.set(key, server$);
    return server$;
  };
  return ({ servers, approvalPolicy }: ServerSettings): Observable<ToolSet> => {
    const started = Object.entries(servers).map(([name, spec]) => start(name, spec, serverOf(name, spec)));
    if (started.length === 0) return of(NO_TOOLS);
    return forkJoin(started).pipe(
      map((all) => ({
        rows: offerTools(
          deps.hash,
          all.flatMap(({ running }) => running),
        ).map((tool) => toRow(serverTool({ now: deps.now, approvalPolicy }, tool))),
        failures: all.flatMap(({ failures }) => failures),
        inUse$: merge(NEVER, ...all.flatMap(({ inUse$ }) => inUse$ ?? [])),
      })),
    );
  };
};

/** One process, which all threads share; one that failed to start keeps failing for a while, one that died is started anew. */
const shared = (
  { open, over$, unusedMs = UNUSED_THREADS.afterMs, after = timer }: ToolServersDeps,
  name: string,
  spec: ToolServerSpec,
): Observable<ToolServer> =>
  defer(() => open(name, spec)).pipe(
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

/** Keeps a server in use; one that ends is not restarted for this. */
const inUse = (server$: Observable<ToolServer>): Observable<never> =>
  server$.pipe(
    ignoreElements(),
    catchError(() => EMPTY), // calls report it
  );

const failure = (name: string, reason: string): Started => ({
  running: [],
  failures: [`MCP client for \`${name}\` failed to start: ${reason}`],
});
