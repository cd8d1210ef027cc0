/** A request as an element of the stream that goes to the peer, for servers that are one operator from messages to messages. */
import { defer, EMPTY, merge, mergeMap, type Observable, of } from 'rxjs';
import { demultiplex } from '../../streams/demultiplex';
import { responseTo } from './responses';

/**
 * @param response$ hot; every response of the peer
 * @param newId gives the id of the next request, never the same twice
 * @param fallback a response in the place of the peer's, for example at a deadline
 */
export type RequestDeps<R extends { id: unknown }> = {
  response$: Observable<R>;
  newId: () => R['id'];
  fallback?: (id: R['id']) => Observable<R>;
};

/**
 * `(toRequest, then) => stream` of the request, then of what follows its response. The response is listened for before the
 * request leaves, so that one which comes synchronously is not lost.
 * Completes with `then`, or with `response$` where no response came. Unsubscribing forgets the request.
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
