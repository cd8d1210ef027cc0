/** Owns the handshake with an app-server, and asking it. */
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
import type { Heard, Sent } from '../executor';
import { type JsonObject, METHOD_NOT_FOUND, type Request, type Response, RpcError } from '../protocol';
import { ofKind } from '../streams';
import { declineOf, isQuestion } from './approvals';
import { threadOf, type Word } from './wire';

/**
 * An app-server that can be asked. `word$` is what it tells and asks of its own accord, and errors when it is gone.
 * `ask` emits the result, or errors with RpcError or because the server is gone; `tell` asks and takes any answer. `busy` holds
 * the threads that have a turn, which answers the server's questions about it.
 */
export type Link = {
  word$: Observable<Word>;
  ask: (method: string, params: JsonObject) => Observable<JsonObject>;
  tell: (method: string, params: JsonObject) => void;
  answer: (id: Request['id'], result: JsonObject) => void;
  busy: Set<string>;
};

/** @param transport one life of the server's process; errors when it ends */
export type LinkDeps = { transport: OperatorFunction<Sent, Heard>; version: string; newId: () => number };

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const helloOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the server is gone. A request that nobody
 * here answers is answered at once: what is not known is refused, a question about a turn that is over declined.
 *   server ---I------#     (I the answer to initialize)
 *   link   ---L------#
 */
export const openLink = ({ transport, version, newId }: LinkDeps): Observable<Link> =>
  defer(() => {
    const said$ = new Subject<Sent>(); // the wire from those who ask
    const id = newId();
    const hello: Sent = { kind: 'request', id, method: 'initialize', params: helloOf(version) };
    return concat(of(hello), said$).pipe(
      transport,
      connect((heard$) => {
        const link = linkOf(heard$, (message) => said$.next(message), newId);
        return merge(
          heard$.pipe(
            answerTo(id),
            tap(() => said$.next({ kind: 'notification', method: 'initialized', params: {} })),
            map(() => link),
          ),
          heard$.pipe(
            ofKind('request'),
            filter((request) => !isQuestion(request) || !link.busy.has(threadOf(request))),
            tap((request) => said$.next(refusalOf(request))),
            ignoreElements(),
          ),
        );
      }),
    );
  });

const refusalOf = (request: Request): Response =>
  isQuestion(request)
    ? { kind: 'response', id: request.id, result: declineOf(request) }
    : {
        kind: 'response',
        id: request.id,
        error: { code: METHOD_NOT_FOUND, message: `unknown method ${request.method}` },
      };

const linkOf = (heard$: Observable<Heard>, say: (message: Sent) => void, newId: () => number): Link => ({
  word$: heard$.pipe(filter((heard): heard is Word => heard.kind === 'request' || heard.kind === 'notification')),
  ask: (method, params) =>
    defer(() => {
      const id = newId();
      const question$ = defer(() => {
        say({ kind: 'request', id, method, params });
        return EMPTY;
      });
      return merge(heard$.pipe(answerTo(id)), question$);
    }),
  tell: (method, params) => say({ kind: 'request', id: newId(), method, params }),
  answer: (id, result) => say({ kind: 'response', id, result }),
  busy: new Set(),
});

const answerTo =
  (id: number): OperatorFunction<Heard, JsonObject> =>
  (heard$) =>
    heard$.pipe(
      ofKind('response'),
      filter((response) => response.id === id),
      take(1),
      throwIfEmpty(() => new Error('the codex app-server is gone')),
      map(resultOf),
    );

const resultOf = (response: Response): JsonObject => {
  if ('error' in response) {
    const { code, message, data } = response.error;
    throw new RpcError(code, message, data);
  }
  return ('result' in response ? response.result : {}) as JsonObject;
};
