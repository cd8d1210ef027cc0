/** The connection to an MCP server whose tools are called: its handshake, its tools, and its own requests. */
import {
  defer,
  dematerialize,
  filter,
  ignoreElements,
  map,
  materialize,
  merge,
  type Observable,
  type ObservableNotification,
  type OperatorFunction,
  switchMap,
  tap,
  timeout,
} from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../protocol/jsonrpc/messages';
import { handshake } from '../../protocol/rpc/handshake';
import type { Outcome, RpcRequest, RpcTransport } from '../../protocol/rpc/messages';
import { openPeer } from '../../protocol/rpc/openPeer';
import type { Peer } from '../../protocol/rpc/peer';
import { callTool } from './callTool';
import { latestLists } from './latestLists';
import { listTools } from './listTools';
import { NotStarted } from './notStarted';
import { startedWithin } from './startedWithin';
import { strayLines } from './strayLines';
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
