/** The connection to an MCP server whose tools are called: its start, its handshake, its tools, and its own requests. */
import {
  catchError,
  connect,
  defer,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  materialize,
  merge,
  type Observable,
  type SchedulerLike,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../protocol/jsonrpc/messages';
import type { Outcome, RpcIncoming, RpcRequest, RpcTransport } from '../../protocol/rpc/messages';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Peer } from '../../protocol/rpc/peer';
import { inputFirst } from '../../streams/time/limits';
import { isForm } from './askPerson';
import { callTool } from './callTool';
import { latestLists, listTools, takeKnown } from './listTools';
import { NotStarted, type ToolInfo, type ToolServer } from './toolServer';

type ToolServerDeps = {
  name: string;
  /** Covers one life of the server's process; errors when that ends. */
  transport: RpcTransport<JsonObject>;
  version: string;
  startTimeoutMs: number;
  toolTimeoutMs: number;
  /** When the reading of large schemas goes on: see `startsInTurns`. */
  starts: SchedulerLike;
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
  // a list that never ends must not keep the next waiting
  const first = timeout<ToolInfo[]>({ first: deps.startTimeoutMs, scheduler: inputFirst });
  const list$ = listTools(peer, deps.starts).pipe(first, materialize());
  return merge(
    peer.incomingRequests$.pipe(
      filter((request) => !isForm(request) || open.size === 0),
      tap((request) => peer.respond(request.id, outcomeOf(request))),
      ignoreElements(),
    ),
    changed$.pipe(latestLists(list$), takeKnown(), map(toServer)),
  );
};

/** The response if no open call could ask a person. */
const outcomeOf = (request: RpcRequest<JsonObject>): Outcome => {
  const { method } = request;
  if (method === 'ping') return { result: {} };
  if (isForm(request)) return { result: { action: 'decline' } };
  if (method === 'elicitation/create') return { error: { code: INVALID_PARAMS, message: ONLY_FORMS } };
  return { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } };
};

/** Source: MCP 2025-11-25, elicitation: a mode that is not declared is an error. */
const ONLY_FORMS = 'Invalid params: params.mode must be "form", the only mode that this client declares';

type StrayLines = {
  /** Passes everything on. */
  note: <P>(message$: Observable<RpcIncoming<P>>) => Observable<RpcIncoming<P>>;
  /** Quotes the lines, and names the remedy, for the end of an error; '' if there are none. */
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

/**
 * Errors with NotStarted if there is no server in time, and for any error before there is a server.
 *   server  ------     --S---#     --#
 *   out     -----N     --S---#     --N     (N NotStarted, # the error itself)
 */
export const startedWithin =
  <T>({ ms, quoted }: { ms: number; quoted: StrayLines['quoted'] }): MonoTypeOperatorFunction<T> =>
  (server$) =>
    defer(() => {
      let isThere = false;
      const late$ = timer(ms, inputFirst).pipe(
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
