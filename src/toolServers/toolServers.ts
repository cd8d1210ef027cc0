/** Owns which servers run, and what a turn can call of them. */
import {
  catchError,
  combineLatest,
  concatMap,
  defer,
  map,
  type Observable,
  of,
  ReplaySubject,
  share,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import { NotStarted } from './notStarted';
import { reduceSchema } from './reduceSchema';
import { failed } from './toDone';
import { toolName } from './toolNames';
import {
  NO_TOOLS,
  type OfferedTool,
  type ToolInfo,
  type ToolServer,
  type ToolServerSpec,
  type ToolSet,
} from './toolServer';

/**
 * @param open starts a server; see openToolServer; @param hash text => 40 hex digits
 * @param over$ emits when nobody will call any more, which ends all servers
 */
export type ToolServersDeps = {
  open: (name: string, spec: ToolServerSpec) => Observable<ToolServer>;
  hash: (text: string) => string;
  over$: Observable<unknown>;
};

/** How long a server that could not be started is left alone. */
const LEAVE_MS = 30_000;

/** Source: Codex 0.28.0. */
const NAME = /^[a-zA-Z0-9_-]+$/;

type Running = { name: string; server?: ToolServer; failure?: string };

/**
 * The servers of a configuration, started beside each other by the first turn that needs them, kept for the next, and
 * shared by all threads that configure them alike. One that died is started again by the next turn or call. Emits the
 * tools once every server has answered or failed; one that fails takes no other with it. Never errors.
 */
export const toolServers = (deps: ToolServersDeps) => {
  const known = new Map<string, Observable<ToolServer>>();
  const serverOf = (name: string, spec: ToolServerSpec): Observable<ToolServer> => {
    const key = JSON.stringify([name, spec]);
    const server$ = known.get(key) ?? kept(deps, name, spec);
    known.set(key, server$);
    return server$.pipe(take(1));
  };
  return (specs: Readonly<Record<string, ToolServerSpec>>): Observable<ToolSet> => {
    const names = Object.keys(specs);
    if (names.length === 0) return of(NO_TOOLS);
    return combineLatest(names.map((name) => looked(name, serverOf(name, specs[name] as ToolServerSpec)))).pipe(
      take(1),
      map((running) => toSet(deps.hash, specs, running, (name) => serverOf(name, specs[name] as ToolServerSpec))),
    );
  };
};

/** One process for all who need it; what failed to start is told again for a while, what died is started anew. */
const kept = ({ open, over$ }: ToolServersDeps, name: string, spec: ToolServerSpec): Observable<ToolServer> =>
  defer(() => open(name, spec)).pipe(
    takeUntil(over$),
    share({
      connector: () => new ReplaySubject(1),
      resetOnError: (error) => (error instanceof NotStarted ? timer(LEAVE_MS) : of(true)),
      resetOnRefCountZero: false,
    }),
  );

const looked = (name: string, server$: Observable<ToolServer>): Observable<Running> =>
  NAME.test(name)
    ? server$.pipe(
        map((server): Running => ({ name, server })),
        catchError((error: Error) => of<Running>({ name, failure: error.message })),
      )
    : of({ name, failure: `invalid server name '${name}': must match pattern ${NAME.source}` });

const isWanted =
  (spec: ToolServerSpec | undefined) =>
  ({ name }: ToolInfo): boolean =>
    (spec?.enabledTools?.includes(name) ?? true) && !spec?.disabledTools.includes(name);

/** A tool whose schema cannot be said to a model is not offered. */
const toSet = (
  hash: ToolServersDeps['hash'],
  specs: Readonly<Record<string, ToolServerSpec>>,
  running: readonly Running[],
  serverOf: (name: string) => Observable<ToolServer>,
): ToolSet => {
  const taken = new Set<string>();
  const offered = running.flatMap(({ name: server, server: there }) =>
    (there?.tools ?? []).filter(isWanted(specs[server])).flatMap((tool): OfferedTool[] => {
      const parameters = reduceSchema(tool.inputSchema);
      if (parameters === undefined) return [];
      const name = toolName(hash, taken, server, tool.name);
      return [
        {
          spec: { type: 'function', name, description: tool.description, strict: false, parameters },
          server,
          tool: tool.name,
          isReadOnly: tool.isReadOnly,
          call: (args) =>
            serverOf(server).pipe(
              concatMap((now) => now.call(tool.name, args)),
              catchError((error: Error) =>
                of(failed(`the MCP server ${server} could not be started: ${error.message}`)),
              ),
            ),
        },
      ];
    }),
  );
  return {
    tools: new Map(offered.map((tool) => [tool.spec.name, tool])),
    failures: running.flatMap(({ name, failure }) =>
      failure === undefined ? [] : [`MCP client for \`${name}\` failed to start: ${failure}`],
    ),
  };
};
