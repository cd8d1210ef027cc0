/** One request to a connected peer, from its sending to its result, its loss or its cancellation. */
import { defer, EMPTY, finalize, map, merge, type Observable, take, tap, timer } from 'rxjs';
import { mapMulti } from '../../streams/mapMulti';
import { toTimerMs } from '../../streams/time/timerMs';
import type { RpcGap, RpcOutgoing, RpcResponse } from './messages';
import type { Peer, RequestOptions } from './peer';
import { resultOf } from './responses';

/**
 * @param response$ hot; every response of the peer; errors when the connection is lost
 * @param gap$ hot; emits where messages of the peer are lost: every open request is given up then
 */
export type SendRequestDeps = {
  gap$?: Observable<RpcGap>;
  response$: Observable<RpcResponse>;
  send: (message: RpcOutgoing) => void;
  name: string;
  newId: () => number;
};

/** Why an unsubscribed request is cancelled. */
const UNSUBSCRIBED = 'the result is no longer needed';

/**
 * `request` of a peer. The response is listened for before the request leaves.
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
    : [timer(toTimerMs(deadlineMs)).pipe(map(() => `${what} within ${deadlineMs / 1000} s`))]),
];
