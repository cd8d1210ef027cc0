/** Owns putting a question to an exec-server and knowing its answer. */
import { defer, EMPTY, filter, map, merge, type Observable, take, throwIfEmpty } from 'rxjs';
import { type ExecMessage, type ExecOutgoing, type ExecResponse, RpcError } from '../../protocol';
import { ofKind } from '../../streams';

/** `message$` is all the server says, hot; `say` tells it something. */
export type QuestionDeps = {
  message$: Observable<ExecMessage>;
  say: (message: ExecOutgoing) => void;
  newId: () => number;
};

export const LOST = 'the connection to the exec-server was lost';

/**
 * Asks when it is subscribed. Emits the result; errors with RpcError, or because nobody is left to answer.
 *   message$  ----y-
 *   out       ----(R|)    (the question leaves at once)
 */
export const question =
  ({ message$, say, newId }: QuestionDeps) =>
  (method: string, params: unknown): Observable<unknown> =>
    defer(() => {
      const id = newId();
      const ask$ = defer(() => {
        say({ kind: 'request', id, method, params });
        return EMPTY;
      });
      return merge(message$.pipe(answerTo(id)), ask$);
    });

/** The result that answers the request with this id; errors as `question` does. */
export const answerTo =
  (id: number) =>
  (message$: Observable<ExecMessage>): Observable<unknown> =>
    message$.pipe(
      ofKind('response'),
      filter((response) => response.id === id),
      take(1),
      throwIfEmpty(() => new Error(LOST)),
      map(toResult),
    );

const toResult = (response: ExecResponse): unknown => {
  if ('result' in response) return response.result;
  const { code, message, data } = response.error;
  throw new RpcError(code, message, data);
};
