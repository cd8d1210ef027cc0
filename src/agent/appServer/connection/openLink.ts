/** The connection to an app-server: its handshake, and the routes of its messages. */
import {
  catchError,
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  shareReplay,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { isObject, type JsonObject } from '../../../protocol/jsonrpc/json';
import { RpcError } from '../../../protocol/jsonrpc/messages';
import { handshake } from '../../../protocol/rpc/handshake';
import type { RpcTransport } from '../../../protocol/rpc/messages';
import { openPeer } from '../../../protocol/rpc/openPeer';
import type { Peer } from '../../../protocol/rpc/peer';
import { ConfigError } from '../../../settings/faults/configError';
import { CannotBegin } from '../../turns/rejection';
import { configFaults } from './configFaults';
import { ConnectionLost } from './connectionLost';
import type { Link } from './link';
import { refusedSetting } from './refusedSetting';
import { routeMessages } from './routeMessages';
import { type PendingRequest, watchResponses } from './watchResponses';

/** @param transport covers one life of the server's process; errors when that ends */
export type LinkDeps = { transport: RpcTransport<JsonObject>; version: string };

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
      timeout({ first: HANDSHAKE_MS, with: () => throwError(() => new Error(SILENT)) }),
      switchMap(({ peer }) => {
        isReady = true;
        return linkTo(peer, (error) => hung$.error(error));
      }),
      catchError((error: Error) => throwError(() => (isReady ? error : doubted(error)))),
    );
  });

/** Emits the link, and does its background work while it is subscribed. */
const linkTo = (peer: Peer<JsonObject>, onHung: (error: Error) => void): Observable<Link> => {
  const pending$ = new Subject<PendingRequest>(); // the wire from the requests to their watch
  const { routed$, ...routes } = routeMessages(peer);
  const configFault$ = peer.notifications$.pipe(configFaults(), shareReplay(1));
  const watched$ = pending$.pipe(watchResponses({ incoming$: peer.incoming$, waitMs: HANG_MS }), tap(onHung));
  const link: Link = {
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

const toObject = (result: unknown): JsonObject => (isObject(result) ? result : {});

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
const ADVICE =
  'It did not answer its first request. Is it a Codex with app-server? 0.142.0 to 0.171.0 are known to work.';
