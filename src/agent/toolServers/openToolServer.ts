/** The connection to an MCP server whose tools are called: its handshake, its tools, and its own requests. */
import {
  catchError,
  connect,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  materialize,
  merge,
  type Observable,
  type ObservableNotification,
  type OperatorFunction,
  of,
  reduce,
  repeat,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../protocol/jsonrpc/messages';
import type { Outcome, RpcIncoming, RpcRequest, RpcTransport } from '../../protocol/rpc/messages';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Peer } from '../../protocol/rpc/peer';
import { callTool } from './callTool';
import { cancelledNotification } from './cancelledNotification';
import { NotStarted } from './notStarted';
import type { ToolInfo, ToolServer } from './toolServer';

/** @param transport covers one life of the server's process; errors when that ends */
export type ToolServerDeps = {
  name: string;
  transport: RpcTransport<JsonObject>;
  version: string;
  startTimeoutMs: number;
  toolTimeoutMs: number;
};

const PROTOCOL = '2025-11-25';

const clientOf = (version: string): JsonObject => ({
  protocolVersion: PROTOCOL,
  capabilities: { elicitation: {} },
  clientInfo: { name: 'codex-rx-mcp-client', title: 'codex-rx', version },
});

/**
 * Starts the server. Emits it once its tools are known, and again when they have changed. Errors with NotStarted if that
 * takes too long or the server cannot be used, otherwise when its connection is lost. Unsubscribing ends the process.
 *   server ---I--T----c-T--#     (I the response to initialize, T tools, c tools/list_changed)
 *   out    ------S------S--#
 */
export const openToolServer = (deps: ToolServerDeps): Observable<ToolServer> =>
  defer(() => {
    const { name, version, startTimeoutMs } = deps;
    const { note, quoted } = strayLines();
    const transport: typeof deps.transport = (out$) => deps.transport(out$).pipe(note);
    return openPeer({ transport, name: `the MCP server ${name}` }).pipe(
      handshake({ params: clientOf(version), ready: 'notifications/initialized' }),
      tap(({ result }) => refuseSelf(result)),
      switchMap(({ peer }) => servedBy(deps, peer)),
      startedWithin({ ms: startTimeoutMs, quoted }),
    );
  });

/** Another codex-rx would start its own servers, without end. */
const refuseSelf = (result: unknown): void => {
  if (isObject(result) && isObject(result.serverInfo) && result.serverInfo.name === 'codex-rx') {
    throw new NotStarted('it is codex-rx itself, which cannot be a tool of its own');
  }
};

const servedBy = (deps: ToolServerDeps, peer: Peer<JsonObject>): Observable<ToolServer> => {
  const { name: server, toolTimeoutMs: timeoutMs } = deps;
  const open = new Set<number>();
  const toServer = (tools: ToolInfo[]): ToolServer => ({
    tools,
    call: (tool, args) => callTool({ server, peer, open, timeoutMs }, tool, args),
  });
  const changed$ = peer.notifications$.pipe(filter(({ method }) => method === 'notifications/tools/list_changed'));
  const list$ = listTools(peer).pipe(timeout({ first: deps.startTimeoutMs }), materialize()); // one that never ends must not keep the next waiting
  return merge(
    peer.incomingRequests$.pipe(
      filter((request) => request.method !== 'elicitation/create' || open.size === 0),
      tap((request) => peer.respond(request.id, outcomeOf(request))),
      ignoreElements(),
    ),
    changed$.pipe(latestLists(list$), takeKnown(), map(toServer)),
  );
};

/**
 * A list that cannot be read is an error if it is the first; later the server keeps the tools it had.
 *   in   -a-#-b-    (materialized)
 *   out  -a---b-
 */
const takeKnown = (): OperatorFunction<ObservableNotification<ToolInfo[]>, ToolInfo[]> => (list$) =>
  list$.pipe(
    filter(({ kind }) => kind !== 'C'),
    filter(({ kind }, i) => kind === 'N' || i === 0),
    dematerialize(),
  );

/** The response where no open call could ask a person. */
const outcomeOf = ({ method }: RpcRequest): Outcome => {
  if (method === 'ping') return { result: {} };
  if (method === 'elicitation/create') return { result: { action: 'decline' } };
  return { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } };
};

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

/** `note` passes everything on; `quoted` quotes the lines that are not messages, for the end of an error with what to do, '' if there are none. */
type StrayLines = {
  note: <P>(message$: Observable<RpcIncoming<P>>) => Observable<RpcIncoming<P>>;
  quoted: () => string;
};

/** How many lines are quoted: launchers first write one or two of their own. */
const MAX_LINES = 4;

/** The lines of one connection. They are collected in place, because they are requested once, if the server does not start. */
export const strayLines = (): StrayLines => {
  const lines: string[] = [];
  const add = (line = ''): void => {
    if (line.trim() !== '' && lines.length < MAX_LINES) lines.push(line.trim());
  };
  return {
    note: (message$) => message$.pipe(tap((message) => message.kind === 'fault' && add(message.line))),
    quoted: () => quote(lines),
  };
};

const quote = (lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `. It wrote ${JSON.stringify(lines.join(' | '))} to stdout, which is for messages alone; make it log to stderr, or start it without what writes that`;

/** A server whose cursor never ends is not read for ever. */
const MAX_PAGES = 100;

/** Emits all tools once. A tool without a name is skipped. Errors with the peer. Unsubscribing cancels the request for the current page. */
export const listTools = (peer: Pick<Peer, 'request'>): Observable<ToolInfo[]> => {
  const read = (params: JsonObject): Observable<JsonObject> =>
    peer
      .request('tools/list', params, { cancel: cancelledNotification })
      .pipe(map((page) => (isObject(page) ? page : {})));
  return read({}).pipe(
    expand(({ nextCursor }) => (typeof nextCursor === 'string' ? read({ cursor: nextCursor }) : EMPTY)),
    take(MAX_PAGES),
    map(({ tools }) => (Array.isArray(tools) ? tools : []).filter(isObject).flatMap(toInfo)),
    reduce<ToolInfo[], ToolInfo[]>((all, page) => [...all, ...page], []),
  );
};

const toInfo = ({ name, description, inputSchema, annotations }: JsonObject): ToolInfo[] =>
  typeof name !== 'string' || name === ''
    ? []
    : [
        {
          name,
          description: typeof description === 'string' ? description : '',
          inputSchema,
          isReadOnly: isObject(annotations) && annotations.readOnlyHint === true,
        },
      ];

/** @param quoted what to add to a reason: what the server wrote besides messages, '' if nothing */
type StartLimit = { ms: number; quoted: () => string };

/**
 * Errors with NotStarted if there is no server in time, and for whatever goes wrong before there is one.
 *   server  ------     --S---#     --#
 *   out     -----N     --S---#     --N     (N NotStarted, # the error itself)
 */
export const startedWithin =
  <T>({ ms, quoted }: StartLimit): MonoTypeOperatorFunction<T> =>
  (server$) =>
    defer(() => {
      let isThere = false;
      const late$ = timer(ms).pipe(
        map((): never => {
          throw new Error(`it did not answer within ${ms / 1000} s`);
        }),
      );
      return server$.pipe(
        tap(() => {
          isThere = true;
        }),
        connect((shared$) => merge(shared$, late$.pipe(takeUntil(shared$)))),
        catchError((error: Error) => throwError(() => (isThere ? error : new NotStarted(withQuote(error, quoted()))))),
      );
    });

const withQuote = ({ message }: Error, quote: string): string =>
  quote === '' ? message : `${message.replace(/\.$/, '')}${quote}`;
