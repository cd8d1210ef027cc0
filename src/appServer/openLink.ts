/** The connection to an app-server: its handshake, the routes of its messages. */
import {
  catchError,
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  shareReplay,
  switchMap,
  throwError,
  timeout,
} from 'rxjs';
import { isObject, type JsonObject, RpcError } from '../protocol/jsonrpc';
import { handshake, openPeer, type Peer, type RpcTransport } from '../rpc';
import { CannotBegin } from '../turns';
import { configFaults } from './configFaults';
import { ConnectionLost } from './connectionLost';
import type { Link } from './link';
import { routeMessages } from './routeMessages';

/** @param transport one life of the server's process; errors when it ends */
export type LinkDeps = { transport: RpcTransport<JsonObject>; version: string };

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const clientOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/** A start takes a quarter of a second; on a busy machine it may take a while. */
const HANDSHAKE_MS = 30_000;

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the server is gone, or has not answered
 * `initialize` after 30 s.
 *   server ---I-------#     (I the response to initialize)
 *   link   ---L-------#
 *   sent   i--n             (i initialize, n initialized)
 */
export const openLink = ({ transport, version }: LinkDeps): Observable<Link> =>
  defer(() => {
    let isReady = false;
    return openPeer({ transport, name: 'the codex app-server' }).pipe(
      handshake({ params: clientOf(version), ready: 'initialized' }),
      timeout({ first: HANDSHAKE_MS, with: () => throwError(() => new Error(SILENT)) }),
      switchMap(({ peer }) => {
        isReady = true;
        const { routed$, ...routes } = routeMessages(peer);
        const configFault$ = peer.notifications$.pipe(configFaults(), shareReplay(1));
        return merge(
          routed$,
          configFault$.pipe(ignoreElements()),
          of({ ...requestsOf(peer), ...routes, configFault$ }),
        );
      }),
      catchError((error: Error) => throwError(() => (isReady ? error : doubted(error)))),
    );
  });

const requestsOf = (peer: Peer<JsonObject>): Pick<Link, 'request' | 'requestAndForget' | 'respond'> => ({
  request: (method, params) => peer.request(method, params).pipe(map(toObject), withLoss()),
  requestAndForget: peer.requestAndForget,
  respond: (id, result) => peer.respond(id, { result }),
});

const toObject = (result: unknown): JsonObject => (isObject(result) ? result : {});

/** An error that is no response of the server is the loss of its connection. */
const withLoss = <T>(): OperatorFunction<T, T> =>
  catchError((error: Error) =>
    throwError(() => (error instanceof RpcError ? error : new ConnectionLost(error.message))),
  );

/** A program that ends before it answers may be no app-server. */
const doubted = (error: Error): Error =>
  error instanceof RpcError || error instanceof CannotBegin ? error : new Error(`${error.message}\n${ADVICE}`);

const SILENT = `The codex app-server was silent for ${HANDSHAKE_MS / 1000} s and was ended.`;
const ADVICE =
  'It did not answer its first request. Is it a Codex with app-server? 0.142.0 to 0.169.0 are known to work.';
