/** The connection to an app-server: its handshake, and the routes of its messages. */
import {
  catchError,
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
  Subject,
  share,
  shareReplay,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { type JsonObject, toObject } from '../../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND, type Request, RpcError } from '../../../protocol/jsonrpc/messages';
import type { Outcome, RpcTransport } from '../../../protocol/rpc/messages';
import { handshake, openPeer } from '../../../protocol/rpc/openPeer';
import type { Peer } from '../../../protocol/rpc/peer';
import { ConfigError } from '../../../settings/faults/configError';
import { failIfLate, inputFirst } from '../../../streams/time/limits';
import { releaseOf, TRIED_RELEASES } from '../../triedReleases';
import { CannotBegin } from '../../turns/rejection';
import { declinedResult, isQuestion } from '../items/questions';
import { ConfigWarningParams, Initialized, read } from '../shapes';
import { ConnectionLost, isTurnStart, type Link, type ServerMessage, threadIdOf, turnIdOf } from './link';
import { refusedSetting } from './refusedSetting';

export type LinkDeps = {
  /** Covers one life of the server's process; errors when that ends. */
  transport: RpcTransport<JsonObject>;
  version: string;
};

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const clientOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/** A start takes a quarter of a second; on a busy machine it may take longer. */
const HANDSHAKE_MS = 30_000;
/** How long the server may be silent after a later request, to which it normally responds within milliseconds. */
const HANG_MS = 10_000;

/**
 * Connects and performs the handshake. Emits the link once it can be used; errors when the server is gone, has not answered
 * `initialize` within 30 s, or is silent for 10 s after another request: a server that hangs is ended, and its requests and turns fail.
 *   server ---I-------#     (I the response to initialize)
 *   link   ---L-------#
 *   sent   i--n             (i initialize, n initialized)
 */
export const openLink = ({ transport, version }: LinkDeps): Observable<Link> =>
  defer(() => {
    let isReady = false;
    const hung$ = new Subject<never>(); // the wire from a request without response to the connection
    return openPeer({ transport: (out$) => transport(out$).pipe(takeUntil(hung$)), name: 'the codex app-server' }).pipe(
      handshake({ params: clientOf(version), ready: 'initialized' }),
      failIfLate(HANDSHAKE_MS, () => new Error(SILENT)),
      switchMap(({ peer, result }) => {
        isReady = true;
        const release = releaseOf(read(Initialized, result).userAgent);
        return linkTo(peer, release, (error) => hung$.error(error));
      }),
      catchError((error: Error) => throwError(() => (isReady ? error : doubted(error)))),
    );
  });

/** Emits the link, and does its background work while it is subscribed. */
const linkTo = (peer: Peer<JsonObject>, release: string, onHung: (error: Error) => void): Observable<Link> => {
  const pending$ = new Subject<PendingRequest>(); // the wire from the requests to their watch
  const { routed$, ...routes } = routeMessages(peer);
  const configFault$ = peer.notifications$.pipe(configFaults(), shareReplay(1));
  const watched$ = pending$.pipe(watchResponses({ incoming$: peer.incoming$, waitMs: HANG_MS }), tap(onHung));
  const link: Link = {
    release,
    request: (method, params) =>
      defer(() => {
        const response$ = peer.request(method, params).pipe(shareReplay(1)); // the watch outlives the request
        pending$.next({ method, response$ });
        return response$.pipe(map(toObject), withLoss());
      }),
    requestAndForget: peer.requestAndForget,
    respond: (id, result) => peer.respond(id, { result }),
    configFault$,
    ...routes,
  };
  return merge(merge(routed$, configFault$, watched$).pipe(ignoreElements()), of(link));
};

/** An error that is not a response of the server means that its connection is lost. */
const withLoss = <T>(): OperatorFunction<T, T> =>
  catchError((error: Error) =>
    throwError(() => (error instanceof RpcError ? error : new ConnectionLost(error.message))),
  );

/** A program that ends before it answers refuses a setting, or may not be an app-server. */
const doubted = (error: Error): Error => {
  if (error instanceof RpcError || error instanceof CannotBegin || error instanceof ConfigError) return error;
  const refusal = refusedSetting(error.message);
  return refusal === undefined ? new Error(`${error.message}\n${ADVICE}`) : new CannotBegin(refusal);
};

const SILENT = `The codex app-server was silent for ${HANDSHAKE_MS / 1000} s and was ended.`;
const ADVICE = `It did not answer its first request. Is it a Codex with app-server? ${TRIED_RELEASES}.`;

/** Other warnings are about single keys, which the server ignores. */
const BROKEN = /invalid configuration/i;

/**
 * Emits the place and the reason of each fault, such as `/home/a/.codex/config.toml:7:12: …`.
 *   in   -w-f--     (w another warning, f the configuration is invalid)
 *   out  ---F--
 * Source: codex app-server 0.142.0 and 0.169.0, which send `configWarning` after `initialize`, use their defaults and refuse
 * every thread.
 */
export const configFaults = (): OperatorFunction<ServerMessage, string> =>
  pipe(
    mergeMap(({ method, params }) => (method === 'configWarning' ? [read(ConfigWarningParams, params)] : [])),
    mergeMap(({ summary, details }) => (BROKEN.test(summary) ? [details || summary] : [])),
    map((text) => text.split('\n')[0] as string),
  );

export type PendingRequest = {
  method: string;
  /** Emits or errors once the request is answered. */
  response$: Observable<unknown>;
};

type WatchDeps = {
  /** Everything that the server sends. */
  incoming$: Observable<unknown>;
  /** How long the server may be silent while a request is pending. */
  waitMs: number;
};

/**
 * Subscribes to each response. Emits the error of a server that has neither answered nor sent anything else for `waitMs`.
 *   request   -r--r-------
 *   response  ----y            (y the response to the first r)
 *   out       ---------E       (E, `waitMs` after the second r)
 */
export const watchResponses =
  ({ incoming$, waitMs }: WatchDeps): OperatorFunction<PendingRequest, Error> =>
  (request$) =>
    request$.pipe(
      mergeMap(({ method, response$ }) =>
        merge(of(null), incoming$).pipe(
          switchMap(() => timer(waitMs, inputFirst)),
          takeUntil(response$.pipe(catchError(() => of(null)))),
          map(() => new Error(`The codex app-server was silent for ${waitMs / 1000} s after ${method} and was ended.`)),
        ),
      ),
    );

type MessageRoutes = Pick<Link, 'messagesOf' | 'giveUp'> & {
  /** Does the routing while it is subscribed, and emits nothing; errors with the connection. */
  routed$: Observable<never>;
};

/**
 * Routes each message to the turn of its thread, at a cost that does not grow with the number of turns. A request that nobody can answer
 * is refused, a question about a thread without a turn is declined, a turn that starts after it was given up is interrupted.
 *   peer      --m--q--r-#     (m, q a message and a question of a thread with a turn, r a request that nobody knows)
 *   messages  --m--q----#
 *   sent      --------R       (R the error response)
 */
export const routeMessages = (peer: Peer<JsonObject>): MessageRoutes => {
  const routes: Routes = { turns: new Map(), givenUp: new Set() };
  const lost$ = peer.incoming$.pipe(
    ignoreElements(),
    catchError(({ message }: Error) => throwError(() => new ConnectionLost(message))),
    share(), // so that a message passes one filter, not one per turn
  );
  return {
    routed$: peer.incoming$.pipe(
      tap((message) => route(peer, routes, message)),
      ignoreElements(),
    ),
    messagesOf: (threadId) => merge(turnOf(routes, threadId), lost$),
    giveUp: (threadId) => void routes.givenUp.add(threadId),
  };
};

/** Changed in place: the wires to the running turns, by thread, and the threads whose turn may start late. */
type Routes = { turns: Map<string, Subject<ServerMessage>>; givenUp: Set<string> };

const turnOf = ({ turns, givenUp }: Routes, threadId: string): Observable<ServerMessage> =>
  defer(() => {
    const turn$ = new Subject<ServerMessage>(); // the wire from the connection to the turn
    turns.set(threadId, turn$);
    givenUp.delete(threadId);
    // the next turn of a thread may begin before this turn is unsubscribed
    return turn$.pipe(finalize(() => turns.get(threadId) === turn$ && turns.delete(threadId)));
  });

const route = (peer: Peer<JsonObject>, { turns, givenUp }: Routes, message: ServerMessage): void => {
  const threadId = threadIdOf(message);
  const turn$ = turns.get(threadId);
  if (message.kind === 'request' && !isQuestion(message)) peer.respond(message.id, refusalOf(message));
  else if (turn$ !== undefined) turn$.next(message);
  else if (message.kind === 'request') peer.respond(message.id, { result: declinedResult(message) });
  else if (isTurnStart(message) && givenUp.has(threadId)) {
    peer.requestAndForget('turn/interrupt', { threadId, turnId: turnIdOf(message) });
  }
};

const refusalOf = ({ method }: Request): Outcome => ({
  error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` },
});
