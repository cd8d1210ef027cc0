/** Which tools a server has, and which of them are offered to a model, under which names. */
import {
  catchError,
  concatMap,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type ObservableNotification,
  type OperatorFunction,
  of,
  reduce,
  repeat,
  type SchedulerLike,
  take,
  tap,
} from 'rxjs';
import { isObject, type JsonObject, ownOf } from '../../protocol/jsonrpc/json';
import type { Peer } from '../../protocol/rpc/peer';
import { inTurns, type Pausing } from '../../streams/pausing';
import { cancelledNotification, failed } from './callTool';
import { toolSchema } from './reduceSchema';
import type { OfferedTool, ToolInfo, ToolServer, ToolServerSpec } from './toolServer';

/** A server whose cursor never ends is not read for ever. */
const MAX_PAGES = 100;

/**
 * Emits all tools once. A tool without a name is skipped. Errors with the peer. Unsubscribing cancels the request for the current page.
 * @param starts when the reading of large schemas goes on: see `startsInTurns`
 */
export const listTools = (peer: Pick<Peer, 'request'>, starts: SchedulerLike): Observable<ToolInfo[]> => {
  const read = (params: JsonObject): Observable<JsonObject> =>
    peer
      .request('tools/list', params, { cancel: cancelledNotification })
      .pipe(map((page) => (isObject(page) ? page : {})));
  return read({}).pipe(
    expand(({ nextCursor }) => (typeof nextCursor === 'string' ? read({ cursor: nextCursor }) : EMPTY)),
    take(MAX_PAGES),
    map(({ tools }) => (Array.isArray(tools) ? tools : []).filter(isObject)),
    reduce<JsonObject[], JsonObject[]>((all, page) => [...all, ...page], []),
    concatMap((tools) => inTurns(starts, () => readTools(tools))),
  );
};

function* readTools(tools: readonly JsonObject[]): Pausing<ToolInfo[]> {
  const infos: ToolInfo[] = [];
  for (const tool of tools) {
    infos.push(...toInfo(tool));
    yield;
  }
  return infos;
}

const toInfo = ({ name, description, inputSchema, annotations }: JsonObject): ToolInfo[] =>
  typeof name !== 'string' || name === ''
    ? []
    : [
        {
          name,
          description: typeof description === 'string' ? description : '',
          parameters: toolSchema(inputSchema),
          ...hintsOf(isObject(annotations) ? annotations : {}),
        },
      ];

/** Source: MCP 2025-06-18, ToolAnnotations: a tool without hints may destroy something, and reach anything. */
const hintsOf = ({
  readOnlyHint,
  destructiveHint,
  openWorldHint,
}: JsonObject): Pick<ToolInfo, 'isReadOnly' | 'isHarmless'> => ({
  isReadOnly: readOnlyHint === true,
  ...(destructiveHint === false && openWorldHint === false && { isHarmless: true }),
});

/**
 * A list that cannot be read is an error if it is the first; later the server keeps the tools it had.
 *   in   -a-#-b-    (materialized)
 *   out  -a---b-
 */
export const takeKnown = (): OperatorFunction<ObservableNotification<ToolInfo[]>, ToolInfo[]> => (list$) =>
  list$.pipe(
    filter(({ kind }) => kind !== 'C'),
    filter(({ kind }, i) => kind === 'N' || i === 0),
    dematerialize(),
  );

/**
 * Lists once, and again after changes: one list at a time, and one more for all changes that came meanwhile, because each list is a request.
 * @param list$ never errors
 *   list$    -L|
 *   changed  ----cc--c
 *   out      -L---L-L-L
 */
export const latestLists =
  <T>(list$: Observable<T>) =>
  (changed$: Observable<unknown>): Observable<T> =>
    defer(() => {
      let isOld = false; // a change came since the last list began
      const listed$ = defer(() => {
        isOld = false;
        return list$;
      });
      const note: MonoTypeOperatorFunction<unknown> = tap(() => {
        isOld = true;
      });
      return merge(of(null), changed$).pipe(
        note,
        exhaustMap(() => listed$.pipe(repeat({ delay: () => (isOld ? of(null) : EMPTY) }))),
      );
    });

export type RunningServer = {
  name: string;
  spec: ToolServerSpec;
  tools: readonly ToolInfo[];
  /** Emits the server for a call; a server that has died is restarted first. */
  call$: Observable<ToolServer>;
};

/**
 * The enabled tools of all servers, in order, each under a unique name. A tool whose schema is not of an object is not offered: no model provider
 * accepts it.
 * @param hash returns 40 hex digits for a text
 */
export const offerTools = (hash: (text: string) => string, servers: readonly RunningServer[]): OfferedTool[] => {
  const nameOf = toolName(hash);
  return servers.flatMap(({ name: server, spec, tools, call$ }) =>
    tools
      .filter(isEnabled(spec))
      .flatMap(({ name: tool, description, parameters, isReadOnly, isHarmless }): OfferedTool[] => {
        if (parameters === undefined) return [];
        const name = nameOf(server, tool);
        if (name === undefined) return [];
        return [
          {
            spec: { type: 'function', name, description, strict: false, parameters },
            server,
            tool,
            isReadOnly,
            ...(isHarmless && { isHarmless }),
            ...modeOf(spec, tool),
            call: callBy(server, tool, call$),
          },
        ];
      }),
  );
};

const modeOf = ({ approval }: ToolServerSpec, tool: string): Pick<OfferedTool, 'mode'> => {
  const own = approval && ownOf(approval.tools, tool);
  const mode = own ?? approval?.default;
  return mode === undefined ? {} : { mode };
};

/** True if a tool of this server is offered. */
export const isEnabled =
  ({ enabledTools, disabledTools }: Pick<ToolServerSpec, 'enabledTools' | 'disabledTools'>) =>
  ({ name }: Pick<ToolInfo, 'name'>): boolean =>
    (enabledTools?.includes(name) ?? true) && !disabledTools.includes(name);

const callBy =
  (server: string, tool: string, call$: Observable<ToolServer>): OfferedTool['call'] =>
  (args) =>
    call$.pipe(
      concatMap((running) => running.call(tool, args)),
      catchError((error: Error) => of(failed(`the MCP server ${server} could not be started: ${error.message}`))),
    );

/** Source: the APIs of model providers: letters, digits, `_` and `-`, at most this many. */
const MAX_LENGTH = 64;
const DELIMITER = '__';

/** The number of hex digits of the hash that replaces what does not fit. */
const HASH_LENGTH = 40;

const fitting = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_');

/**
 * Makes the names of one list: `server__tool`. A name that is too long or already taken ends with its hash. Undefined for a third
 * tool of the same name: providers refuse a list that contains a name twice.
 * @param hash returns 40 hex digits for a text
 * Source: Codex 0.28.0, CORE 9: 24 characters and a SHA-1; there other characters stayed, and of two equal names the second was lost.
 */
export const toolName = (hash: (text: string) => string): ((server: string, tool: string) => string | undefined) => {
  const taken = new Set<string>(); // grows as the list is made
  return (server, tool) => {
    const whole = `${server}${DELIMITER}${tool}`;
    const plain = fitting(whole);
    const isFree = plain.length <= MAX_LENGTH && !taken.has(plain);
    const name = isFree ? plain : plain.slice(0, MAX_LENGTH - HASH_LENGTH) + hash(whole);
    if (taken.has(name)) return undefined;
    taken.add(name);
    return name;
  };
};
