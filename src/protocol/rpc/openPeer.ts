/** Opens a connection to a JSON-RPC peer over any transport and codec. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  Subject,
  share,
  switchMap,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { counter } from '../../streams/counter';
import { mapMulti } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import { inputFirst } from '../../streams/time/limits';
import type { JsonObject } from '../jsonrpc/json';
import type {
  RpcGap,
  RpcIncoming,
  RpcNotification,
  RpcOutgoing,
  RpcRequest,
  RpcResponse,
  RpcTransport,
} from './messages';
import type { Peer, RequestOptions } from './peer';
import { resultOf } from './request';

/** What a connection needs. */
type PeerDeps<P> = {
  transport: RpcTransport<P>;
  /** The peer in error texts, such as `the exec-server`. */
  name: string;
  /** Default: 1, 2, 3, … */
  newId?: () => number;
};

/**
 * Connects. Emits the peer once the transport takes messages; errors when the connection is lost, with the reason of the
 * transport if it has one. Unsubscribing closes the connection.
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

type SendRequestDeps = {
  /** Hot; emits when messages of the peer are lost: every open request is given up then. */
  gap$?: Observable<RpcGap>;
  /** Hot; every response of the peer; errors when the connection is lost. */
  response$: Observable<RpcResponse>;
  send: (message: RpcOutgoing) => void;
  name: string;
  newId: () => number;
};

/** Why an unsubscribed request is cancelled. */
const UNSUBSCRIBED = 'the result is no longer needed';

/**
 * `request` of a peer. The response is subscribed before the request leaves.
 *   response$  ----y
 *   out        ----(R|)    (the request leaves at once)
 */
export const sendRequest =
  ({ response$, gap$ = EMPTY, send, name, newId }: SendRequestDeps): Peer['request'] =>
  (method, params, options = {}) =>
    defer(() => {
      const id = newId();
      let reason: string | undefined = UNSUBSCRIBED; // undefined once there is nothing to cancel
      const settled = () => {
        reason = undefined;
      };
      const giveUp = (why: string): never => {
        reason = why;
        throw new Error(why);
      };
      const send$ = defer(() => {
        send({ kind: 'request', id, method, params: typeof params === 'function' ? params(id) : params });
        return EMPTY;
      });
      return merge(
        response$.pipe(tap({ error: settled }), resultFor(id, settled)),
        ...[...reasonsToGiveUp(`${name} did not answer ${method}`, options), gap$.pipe(map(lostText(name)))].map(
          (reason$) => reason$.pipe(map(giveUp)),
        ),
        send$,
      ).pipe(
        take(1),
        finalize(() => reason !== undefined && options.cancel && send(options.cancel(id, reason))),
      );
    });

const lostText =
  (name: string) =>
  ({ missingBytes }: RpcGap): string =>
    `${missingBytes === undefined ? 'output' : `${missingBytes} bytes of output`} of ${name} are lost, maybe the response among them`;

/** Calls `settled` with the response of this id, before its result is emitted or thrown. */
const resultFor = (id: number, settled: () => void) =>
  mapMulti<RpcResponse, unknown>((response, emit) => {
    if (response.id !== id) return;
    settled();
    emit(resultOf(response));
  });

/** None for most requests. */
const reasonsToGiveUp = (what: string, { deadlineMs, giveUp$ }: RequestOptions): Observable<string>[] => [
  ...(giveUp$ === undefined ? [] : [giveUp$]),
  ...(deadlineMs === undefined
    ? []
    : [timer(deadlineMs, inputFirst).pipe(map(() => `${what} within ${deadlineMs / 1000} s`))]),
];

type HandshakeDeps = RequestOptions & {
  /** The params of `initialize`. */
  params: JsonObject;
  /** The notification that follows its result. */
  ready: string;
};

/** A peer whose handshake is over, and its result. */
type ReadyPeer<P> = { peer: Peer<P>; result: unknown };

/**
 * Makes a peer ready: `initialize`, its result, and the notification that the session is ready. Emits the peer when that has left. Errors if the peer
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
