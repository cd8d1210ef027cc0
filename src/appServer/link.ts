/** Owns asking an app-server that was greeted, and being asked by it. */
import { defer, EMPTY, filter, map, merge, type Observable, type OperatorFunction, take, throwIfEmpty } from 'rxjs';
import type { Heard, Sent } from '../executor';
import { type JsonObject, type Request, type Response, RpcError } from '../protocol';
import { ofKind } from '../streams';
import type { Word } from './wire';

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

/** The link behind what a server says; `say` sends. */
export const linkOf = (heard$: Observable<Heard>, say: (message: Sent) => void, newId: () => number): Link => ({
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

/** The result of one request. Errors with RpcError, or when no answer can come any more. */
export const answerTo =
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
