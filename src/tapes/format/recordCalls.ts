/** Records a port whose calls answer with a stream, such as a model or an executor. */
import { defer, type Observable, tap } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Tape } from './tape';

/**
 * `toRequestLine` and `toResponseLine` write one line without a line break. `newCall` never returns the same number twice. `isLast` is true for a response
 * that nothing follows, so that unsubscribing after it is not recorded as a stop.
 */
export type SeamDeps<Q, A> = {
  tape: Tape;
  seam: string;
  newCall: () => number;
  toRequestLine: (request: Q) => string;
  toResponseLine: (response: A) => string;
  isLast?: (response: A) => boolean;
};

/**
 * The same port, recorded at its seam: the request as `in`, each response as `out`, an error and an early end as `note`,
 * all with the number of their call.
 *   response  --a--#
 *   tape      q-a--n    (q the request, n the error)
 */
export const recordCalls =
  <Q, A>(
    { tape, seam, newCall, toRequestLine, toResponseLine, isLast = () => false }: SeamDeps<Q, A>,
    request: (request: Q) => Observable<A>,
  ): ((request: Q) => Observable<A>) =>
  (body) =>
    defer(() => {
      const call = newCall();
      let isOver = false; // once the last response has come
      const write = (dir: string, line: string, fault?: JsonObject) =>
        tape({ dir, line, seam, call, ...(fault && { fault }) });
      write('in', toRequestLine(body));
      return defer(() => request(body)).pipe(
        tap({
          next: (response) => {
            isOver = isLast(response);
            write('out', toResponseLine(response));
          },
          error: (error: Error) => write('note', `failed: ${error.message}`, faultOf(error)),
          unsubscribe: () => isOver || write('note', 'stopped'),
        }),
      );
    });

/** The members of an error beside its message, such as whether it can be tried again; undefined without any. */
const faultOf = (error: Error): JsonObject | undefined => {
  const { name: _name, ...fault } = { ...error } as JsonObject;
  return Object.keys(fault).length === 0 ? undefined : fault;
};
