/** Matching responses with requests, and reading what became of a request. */
import { filter, type MonoTypeOperatorFunction, take } from 'rxjs';
import { RpcError } from '../jsonrpc/messages';
import type { RpcResponse } from './messages';

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
