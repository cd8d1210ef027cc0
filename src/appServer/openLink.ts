/** The connection to an app-server: the handshake, and responses to requests that no turn answers. */
import {
  catchError,
  defer,
  filter,
  ignoreElements,
  merge,
  type Observable,
  of,
  switchMap,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { type JsonObject, METHOD_NOT_FOUND, type Request, RpcError } from '../protocol/jsonrpc';
import { handshake, type Outcome, openPeer, type Peer, type RpcTransport } from '../rpc';
import { declineOf, isQuestion } from './approvals';
import { type Link, linkOf } from './link';
import { NotBegun } from './notBegun';
import { isStart, threadOf, turnOf } from './wire';

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
 * `initialize` after 30 s. An unknown request is refused, a question that belongs to no running turn is declined, a turn that
 * begins after it was given up is interrupted.
 *   server ---I--q---#     (I the response to initialize, q a question of no turn)
 *   link   ---L------#
 *   sent   i--n--d         (d declined)
 */
export const openLink = ({ transport, version }: LinkDeps): Observable<Link> =>
  defer(() => {
    let isReady = false;
    return openPeer({ transport, name: 'the codex app-server' }).pipe(
      handshake({ params: clientOf(version), ready: 'initialized' }),
      timeout({ first: HANDSHAKE_MS, with: () => throwError(() => new Error(SILENT)) }),
      switchMap(({ peer }) => {
        isReady = true;
        const link = linkOf(peer);
        return merge(refuseOthers(peer, link), stopGivenUp(link), of(link));
      }),
      catchError((error: Error) => throwError(() => (isReady ? error : doubted(error)))),
    );
  });

/** Responds to each request that no running turn answers. Emits nothing. */
const refuseOthers = ({ incomingRequests$, respond }: Peer<JsonObject>, { busy }: Link): Observable<never> =>
  incomingRequests$.pipe(
    filter((request) => !isQuestion(request) || !busy.get(threadOf(request))?.(request)),
    tap((request) => respond(request.id, refusalOf(request))),
    ignoreElements(),
  );

/** Interrupts each turn that begins after it was given up. Emits nothing. */
const stopGivenUp = ({ word$, givenUp, tell }: Link): Observable<never> =>
  word$.pipe(
    filter((word) => isStart(word) && givenUp.has(threadOf(word))),
    tap((word) => tell('turn/interrupt', { threadId: threadOf(word), turnId: turnOf(word) })),
    ignoreElements(),
  );

/** A program that ends before it answers may be no app-server. */
const doubted = (error: Error): Error =>
  error instanceof RpcError || error instanceof NotBegun ? error : new Error(`${error.message}\n${ADVICE}`);

const SILENT = `The codex app-server was silent for ${HANDSHAKE_MS / 1000} s and was ended.`;
const ADVICE =
  'It did not answer its first request. Is it a Codex with app-server? 0.142.0 to 0.169.0 are known to work.';

const refusalOf = (request: Request): Outcome =>
  isQuestion(request)
    ? { result: declineOf(request) }
    : { error: { code: METHOD_NOT_FOUND, message: `unknown method ${request.method}` } };
