/** Owns the connection to an MCP server whose tools are called: its handshake, its tools, what it asks of its own accord. */
import {
  catchError,
  connect,
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
  of,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { type Heard, type Peer, type Sent, shakeHands } from '../executor';
import { isObject, type JsonObject, METHOD_NOT_FOUND, type Request, type Response } from '../protocol/jsonrpc';
import { ofKind } from '../streams';
import { callTool } from './callTool';
import { listTools } from './listTools';
import { NotStarted } from './notStarted';
import type { ToolInfo, ToolServer } from './toolServer';

/** @param transport one life of the server's process; errors when it ends */
export type ToolServerDeps = {
  name: string;
  transport: OperatorFunction<Sent, Heard>;
  version: string;
  startTimeoutMs: number;
  toolTimeoutMs: number;
};

const PROTOCOL = '2025-11-25';

const helloOf = (version: string): JsonObject => ({
  protocolVersion: PROTOCOL,
  capabilities: { elicitation: {} },
  clientInfo: { name: 'codex-rx-mcp-client', title: 'codex-rx', version },
});

/**
 * Starts the server. Emits it once its tools are known, and again when they have changed. Errors with NotStarted when that
 * takes too long or it is no server to use, else when it is gone. Unsubscribing ends the process.
 *   server ---I--T----c-T--#     (I the answer to initialize, T tools, c tools/list_changed)
 *   out    ------S------S--#
 */
export const openToolServer = (deps: ToolServerDeps): Observable<ToolServer> => {
  const { name, transport, version, startTimeoutMs } = deps;
  const title = `the MCP server ${name}`;
  const server$ = shakeHands({
    transport,
    title,
    newId: counter(),
    hello: helloOf(version),
    ready: 'notifications/initialized',
  }).pipe(
    tap(({ answer }) => refuseSelf(answer)),
    switchMap(({ peer }) => servedBy(deps, peer)),
  );
  return server$.pipe(startedWithin(startTimeoutMs));
};

/** A server that says it is us would start servers of its own, without end. */
const refuseSelf = ({ serverInfo }: JsonObject): void => {
  if (isObject(serverInfo) && serverInfo.name === 'codex-rx') {
    throw new NotStarted('it is codex-rx itself, which cannot be a tool of its own');
  }
};

const servedBy = ({ name: server, toolTimeoutMs: timeoutMs }: ToolServerDeps, peer: Peer): Observable<ToolServer> => {
  const open = new Set<number>();
  const toServer = (tools: ToolInfo[]): ToolServer => ({
    tools,
    call: (tool, args) => callTool({ server, peer, open, timeoutMs }, tool, args),
  });
  const changed$ = peer.word$.pipe(filter(({ method }) => method === 'notifications/tools/list_changed'));
  return merge(
    peer.word$.pipe(
      ofKind('request'),
      filter((request) => request.method !== 'elicitation/create' || open.size === 0),
      tap((request) => peer.say(answerOf(request))),
      ignoreElements(),
    ),
    merge(of(null), changed$).pipe(
      switchMap(() => listTools(peer).pipe(materialize())),
      takeKnown(),
      map(toServer),
    ),
  );
};

/**
 * A list that could not be read is an error where there was none before; later the server keeps the tools it had.
 *   in   -a-#-b-    (materialized)
 *   out  -a---b-
 */
const takeKnown = (): OperatorFunction<ObservableNotification<ToolInfo[]>, ToolInfo[]> => (list$) =>
  list$.pipe(
    filter(({ kind }) => kind !== 'C'),
    filter(({ kind }, i) => kind === 'N' || i === 0),
    dematerialize(),
  );

/** What is answered when no call is open that could ask a person. */
const answerOf = ({ id, method }: Request): Response => {
  if (method === 'ping') return { kind: 'response', id, result: {} };
  if (method === 'elicitation/create') return { kind: 'response', id, result: { action: 'decline' } };
  return { kind: 'response', id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } };
};

/** Errors with NotStarted where there is no server in time, and for whatever went wrong before there was one. */
const startedWithin =
  (ms: number) =>
  (server$: Observable<ToolServer>): Observable<ToolServer> =>
    defer(() => {
      let isThere = false;
      const late$ = timer(ms).pipe(
        map((): never => {
          throw new NotStarted(`it did not answer within ${ms / 1000} s`);
        }),
      );
      return server$.pipe(
        tap(() => {
          isThere = true;
        }),
        connect((shared$) => merge(shared$, late$.pipe(takeUntil(shared$)))),
        catchError((error: Error) => throwError(() => (isThere ? error : new NotStarted(error.message)))),
      );
    });

/** 1, 2, 3, … */
const counter = (): (() => number) => {
  let last = 0;
  return () => ++last;
};
