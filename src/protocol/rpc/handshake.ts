/** The handshake that opens a session: `initialize`, its result, and the notification that the session is ready. */
import { map, type Observable, type OperatorFunction, switchMap, tap } from 'rxjs';
import type { JsonObject } from '../jsonrpc/json';
import type { Peer, RequestOptions } from './peer';

/** @param params of `initialize`; @param ready the notification that follows its result */
export type HandshakeDeps = RequestOptions & { params: JsonObject; ready: string };

/** A peer whose handshake is over, and what it answered. */
export type ReadyPeer<P> = { peer: Peer<P>; result: unknown };

/**
 * Makes a peer ready. Emits it with the result of `initialize` when the ready notification has left. Errors when the peer
 * refuses, and with the connection.
 *   peer  P----I-----#     (I the response to initialize)
 *   out   -----G-----#
 */
export const handshake =
  <P>({ params, ready, ...options }: HandshakeDeps): OperatorFunction<Peer<P>, ReadyPeer<P>> =>
  (peer$: Observable<Peer<P>>) =>
    peer$.pipe(
      switchMap((peer) =>
        peer.request('initialize', params, options).pipe(
          tap(() => peer.notify(ready, {})),
          map((result) => ({ peer, result })),
        ),
      ),
    );
