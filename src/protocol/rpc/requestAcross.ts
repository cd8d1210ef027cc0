/** A request that may outlive the connection it was sent on. */
import { catchError, filter, NEVER, type Observable, switchMap, take, throwError } from 'rxjs';
import { RpcError } from '../jsonrpc/messages';
import type { Connected, Connectivity } from './reconnect';

/**
 * @param send sends the request on a connection
 * @param mayRepeat whether it may be sent again on this connection, when the one before was lost without a response
 * @param ambiguous the error where it may not: whether the peer has done what it was asked for is not known
 */
export type AcrossDeps<C, T> = {
  send: (connection: C) => Observable<T>;
  mayRepeat: (connection: C) => boolean;
  ambiguous: () => Error;
};

/**
 * Sends a request on the connection there is, or on the next one; a loss before the response repeats it or fails, on the next
 * connection. Emits the first response and completes. Errors with RpcError, with `ambiguous()`, and with `state$`, which is
 * when no connection will come any more.
 *   state$  C----D--C---      (C connected, D disconnected)
 *   send    r----#  r-R
 *   out     ----------(R|)
 * @param state$ replays the newest state
 */
export const requestAcross = <C, T>(
  state$: Observable<Connectivity<C>>,
  { send, mayRepeat, ambiguous }: AcrossDeps<C, T>,
): Observable<T> =>
  state$.pipe(
    filter((state): state is Connected<C> => state.kind === 'connected'),
    switchMap(({ connection }, timesSent) =>
      timesSent > 0 && !mayRepeat(connection) ? throwError(ambiguous) : send(connection).pipe(untilLost()),
    ),
    take(1),
  );

/** An RpcError is a response; any other error is the loss of the connection, and the next one decides. */
const untilLost = <T>() =>
  catchError<T, Observable<T>>((error) => (error instanceof RpcError ? throwError(() => error) : NEVER));
