/** Owns the handshake with a server that speaks JSON-RPC, and asking it. */
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
  type OperatorFunction,
  of,
  Subject,
  take,
  tap,
  throwIfEmpty,
} from 'rxjs';
import {
  type JsonObject,
  type Notification,
  type Request,
  type RequestId,
  type Response,
  RpcError,
} from '../protocol/jsonrpc';
import { ofKind } from '../streams';
import type { Heard, Sent } from './processTransport';

/**
 * A server that can be asked. `word$` is what it tells and asks of its own accord, and errors when it is gone. `ask` emits
 * the result, or errors with RpcError or because the server is gone; it listens before it asks. `say` says anything.
 */
export type Peer = {
  word$: Observable<Request | Notification>;
  newId: () => number;
  ask: (method: string, params: JsonObject, id?: number) => Observable<JsonObject>;
  say: (message: Sent) => void;
};

/**
 * @param transport one life of the server; errors when it ends; @param title what it is called in an error
 * @param hello params of `initialize`; @param ready the notification that follows the answer
 */
export type HandshakeDeps = {
  transport: OperatorFunction<Sent, Heard>;
  title: string;
  newId: () => number;
  hello: JsonObject;
  ready: string;
};

/**
 * Connects and shakes hands. Emits the server and its answer once it can be used; errors when it is gone.
 *   server ---I------#     (I the answer to initialize)
 *   out    ---P------#
 */
export const shakeHands = ({ transport, title, newId, hello, ready }: HandshakeDeps) =>
  defer((): Observable<{ peer: Peer; answer: JsonObject }> => {
    const said$ = new Subject<Sent>(); // the wire from those who ask
    const id = newId();
    const first: Sent = { kind: 'request', id, method: 'initialize', params: hello };
    return concat(of(first), said$).pipe(
      transport,
      connect((heard$) => {
        const peer = peerOf(heard$, title, newId, (message) => said$.next(message));
        return merge(
          heard$.pipe(
            answerTo(id, title),
            tap(() => peer.say({ kind: 'notification', method: ready, params: {} })),
            map((answer) => ({ peer, answer })),
          ),
          heard$.pipe(ignoreElements()), // its end is the end of this
        );
      }),
    );
  });

const peerOf = (heard$: Observable<Heard>, title: string, newId: () => number, say: Peer['say']): Peer => ({
  word$: heard$.pipe(
    filter((heard): heard is Request | Notification => heard.kind === 'request' || heard.kind === 'notification'),
  ),
  newId,
  ask: (method, params, id = newId()) => {
    const question$ = defer(() => {
      say({ kind: 'request', id, method, params });
      return EMPTY;
    });
    return merge(heard$.pipe(answerTo(id, title)), question$);
  },
  say,
});

const answerTo =
  (id: RequestId, title: string): OperatorFunction<Heard, JsonObject> =>
  (heard$) =>
    heard$.pipe(
      ofKind('response'),
      filter((response) => response.id === id),
      take(1),
      throwIfEmpty(() => new Error(`${title} is gone`)),
      map(resultOf),
    );

const resultOf = (response: Response): JsonObject => {
  if ('error' in response) {
    const { code, message, data } = response.error;
    throw new RpcError(code, message, data);
  }
  return ('result' in response ? response.result : {}) as JsonObject;
};
