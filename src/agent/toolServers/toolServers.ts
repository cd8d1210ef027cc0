/** The running MCP servers, and their tools as tools that a model may call. */
import {
  catchError,
  concat,
  concatMap,
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
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { isObject, isTooDeep, type JsonObject, MAX_LEVELS, mayBeTooDeep } from '../../protocol/jsonrpc/json';
import { toVisible } from '../../streams/text/visible';
import { toTimerMs } from '../../streams/time/wait';
import { toDuration } from '../tools/commandOutcome';
import { shorten } from '../tools/shorten';
import { type Assessment, type Tool, type ToolEvent, toRow } from '../tools/tool';
import { UNUSED_THREADS } from '../turns/releaseUnused';
import { offerTools, type RunningServer } from './listTools';
import { type ApprovalSettings, needsApproval, refused, toApproval } from './toolApproval';
import {
  type CallEvent,
  NO_TOOLS,
  NotStarted,
  type OfferedTool,
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

/** Keeps a server in use; it is not restarted for this. */
const inUse = (server$: Observable<ToolServer>): Observable<never> =>
  server$.pipe(
    ignoreElements(),
    catchError(() => EMPTY), // calls report it
  );

const failure = (name: string, reason: string): Started => ({
  running: [],
  failures: [`MCP client for \`${name}\` failed to start: ${reason}`],
});

type ServerToolDeps = ApprovalSettings & {
  /** In ms. */
  now: () => number;
};

/** A call whose arguments were read; undefined if there are none. */
export type ServerCall = { callId: string; args: JsonObject | undefined };

/**
 * A tool of an MCP server. Calls it, or asks first: by the mode that the user set for it, else under `untrusted` about every tool that may change
 * something, because the sandbox does not extend to servers. Arguments that cannot be read are refused, and the model reads why. What the model reads
 * of the result is shortened like the output of a command.
 *   call  -p--q----d       (p progress, q the server asks, d done)
 *   run   B-P--Q----(EO|)  (B, E begin and end of the call, Q the question, O the output)
 * Source: Codex 0.28.0, CORE 9; it asked about no tool, and shortened nothing.
 */
export const serverTool = (deps: ServerToolDeps, offered: OfferedTool): Tool<ServerCall> => ({
  spec: offered.spec,
  assess: ({ callId, args: text, isApproved }) => {
    const args = readArguments(text);
    if (typeof args === 'string') return of({ verdict: 'refuse', output: `err: ${args}` });
    const plan = { callId, args };
    const approval = toApproval(offered, args);
    const isAsked = needsApproval(deps, offered) && !approval.keys.some(isApproved);
    if (isAsked && deps.approvalPolicy === 'never') return of(refused(approval.subject, offered));
    return of<Assessment<ServerCall>>(
      isAsked
        ? { verdict: 'ask', plan, approval }
        : { verdict: 'run', plan, ...(offered.isReadOnly && { effect: 'reads' as const }) },
    );
  },
  run: (plan) => defer(() => run(deps, offered, plan)),
});

/** An empty text means no arguments. */
const readArguments = (text: string): JsonObject | undefined | string => {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (mayBeTooDeep(text) && isTooDeep(value)) return `the arguments are nested deeper than ${MAX_LEVELS} levels`;
    return isObject(value) ? value : 'the arguments must be a JSON object';
  } catch (error) {
    return (error as Error).message;
  }
};

const run = (
  { now }: ServerToolDeps,
  offered: OfferedTool,
  { callId: call_id, args }: ServerCall,
): Observable<ToolEvent> => {
  const { server, tool } = offered;
  const startedMs = now();
  const invocation = { server, tool, arguments: args ?? null };
  const toEvents = (event: CallEvent): ToolEvent[] => {
    if (event.kind === 'progress') {
      return [toEvent({ type: 'background_event', message: `${server}/${tool}: ${event.message}` })];
    }
    if (event.kind === 'question') return [toQuestion(server, event)];
    const duration = toDuration(Math.max(0, now() - startedMs));
    return [
      toEvent({ type: 'mcp_tool_call_end', call_id, invocation, duration, result: event.result }),
      { kind: 'output', text: shorten(event.text) },
    ];
  };
  const begin = toEvent({ type: 'mcp_tool_call_begin', call_id, invocation });
  return concat(of(begin), offered.call(args).pipe(concatMap(toEvents)));
};

/** The server's question to a person. */
const toQuestion = (
  server: string,
  { message, schema, answer }: Extract<CallEvent, { kind: 'question' }>,
): ToolEvent => ({
  kind: 'question',
  msg: { type: 'elicitation_request', server_name: server, message, ...(schema && { requested_schema: schema }) },
  subject: `${server}: ${toVisible(message)}`,
  answer,
});

const toEvent = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
