/** A request as an item of the stream that goes to the peer, for servers that are one operator from messages to messages. */
import { defer, EMPTY, filter, type MonoTypeOperatorFunction, merge, mergeMap, type Observable, of, take } from 'rxjs';
import { demultiplex } from '../../streams/demultiplex';
import { RpcError } from '../jsonrpc/messages';
import type { RpcResponse } from './messages';

/** What requests need. */
type RequestDeps<R extends { id: unknown }> = {
  /** Hot; every response of the peer. */
  response$: Observable<R>;
  /** The id of the next request, never the same twice. */
  newId: () => R['id'];
  /** A response in place of the peer's, for example at a deadline. Default: none. */
  fallback?: (id: R['id']) => Observable<R>;
};

/**
 * `(toRequest, then) => stream` of the request, then of what follows its response. The response is subscribed before the
 * request leaves, so that a synchronous response is not lost.
 * Completes with `then`, or with `response$` if no response came. Unsubscribing forgets the request.
 *   response$  ---y
 *   out        Q--T       (Q toRequest(id), T from then(y))
 */
export const request = <R extends { id: unknown }>({ response$, newId, fallback = () => EMPTY }: RequestDeps<R>) => {
  const responsesTo = demultiplex(({ id }: R) => id)(response$);
  return <T>(toRequest: (id: R['id']) => T, then: (response: R) => Observable<T>): Observable<T> =>
    defer(() => {
      const id = newId();
      const first$ = merge(responsesTo(id), fallback(id)).pipe(responseTo(id));
      return merge(first$.pipe(mergeMap(then)), of(toRequest(id)));
    });
};

/**
 * Passes the first response with this id, then completes.
 *   in   b-a-a-|     (a has the id)
 *   out  --(a|)
 */
export const responseTo =
  <R extends { id: unknown }>(id: R['id']): MonoTypeOperatorFunction<R> =>
  (response$) =>
    response$.pipe(
      filter((response) => response.id === id),
      take(1),
    );

/** The result of a response; throws the error of the peer as RpcError. */
export const resultOf = (response: RpcResponse): unknown => {
  if ('result' in response) return response.result;
  if ('json' in response) return JSON.parse(response.json);
  const { code, message, data } = response.error;
  throw new RpcError(code, message, data);
};
