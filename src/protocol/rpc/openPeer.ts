/** Opens a connection to a JSON-RPC peer over any transport and codec. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  Subject,
  share,
  take,
  throwError,
} from 'rxjs';
import { counter } from '../../streams/counter';
import { ofKind } from '../../streams/ofKind';
import type { RpcIncoming, RpcNotification, RpcOutgoing, RpcRequest, RpcTransport } from './messages';
import type { Peer } from './peer';
import { sendRequest } from './sendRequest';

/** @param name of the peer in error texts, such as `the exec-server`; @param newId default: 1, 2, 3, … */
export type PeerDeps<P> = { transport: RpcTransport<P>; name: string; newId?: () => number };

/**
 * Connects. Emits the peer once the transport takes messages; errors when the connection is lost, with the reason of the
 * transport where it has one. Unsubscribing closes the connection.
 *   transport  --l----#     (l subscribes to what is sent)
 *   out        --P----#
 */
export const openPeer = <P>({ transport, name, newId = counter() }: PeerDeps<P>): Observable<Peer<P>> =>
  defer(() => {
    const sent$ = new Subject<RpcOutgoing>(); // the wire from all senders
    const ready$ = new Subject<void>(); // the wire from the transport, once it takes messages, to the peer
    const announce$ = defer(() => {
      ready$.next();
      return EMPTY;
    });
    return concat(merge(sent$, announce$).pipe(transport), lost(name)).pipe(
      connect((incoming$) =>
        merge(
          ready$.pipe(
            take(1),
            map(() => toPeer({ incoming$, send: (message) => sent$.next(message), name, newId })),
          ),
          incoming$.pipe(ignoreElements()), // completes and errors with the connection
        ),
      ),
    );
  });

const lost = (name: string): Observable<never> => throwError(() => new Error(`the connection to ${name} was lost`));

type Wiring<P> = {
  incoming$: Observable<RpcIncoming<P>>;
  send: (message: RpcOutgoing) => void;
  name: string;
  newId: () => number;
};

const toPeer = <P>({ incoming$, send, name, newId }: Wiring<P>): Peer<P> => {
  const call$ = incoming$.pipe(filter(isCall));
  const response$ = incoming$.pipe(ofKind('response'), share()); // so that a call passes one filter, not one per open request
  return {
    request: sendRequest({ response$, gap$: incoming$.pipe(ofKind('gap'), share()), send, name, newId }),
    requestAndForget: (method, params) => send({ kind: 'request', id: newId(), method, params }),
    notify: (method, params) => send({ kind: 'notification', method, params }),
    respond: (id, outcome) => send({ kind: 'response', id, ...outcome }),
    incoming$: call$,
    incomingRequests$: call$.pipe(filter((message) => message.kind === 'request')),
    notifications$: call$.pipe(filter((message) => message.kind === 'notification')),
  };
};

const isCall = <P>(message: RpcIncoming<P>): message is RpcRequest<P> | RpcNotification<P> =>
  message.kind === 'request' || message.kind === 'notification';
