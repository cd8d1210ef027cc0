/** Connects two peers of one process with each other; what they exchange is opaque here. */
import {
  connect,
  defer,
  ignoreElements,
  last,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';

/** One message between the two, and which side it is from. */
export type Traffic<Near, Far> = { from: 'near'; item: Near } | { from: 'far'; item: Far };

/**
 * Connects two peers: what each emits, the other receives. The subjects are the wire between them.
 * @param near receives what the far side emits, and emits what goes to it
 * @param far `out$ => in$`, like every transport
 * Emits all messages in the order they are received. Completes and errors with the far side; unsubscribing stops both.
 *   far  -A---B|     (A, B responses)
 *   out  nA---B|     (n what the near side emits at once)
 */
export const connectPeers = <Near, Far>(
  near: OperatorFunction<Far, Near>,
  far: OperatorFunction<Near, Far>,
): Observable<Traffic<Near, Far>> =>
  defer(() => {
    const far$ = new Subject<Far>(); // the wire from the far side to the near one
    const near$ = new Subject<Near>(); // the wire from the near side to the result
    return far(near(far$).pipe(tap(near$))).pipe(
      connect((received$) =>
        merge(
          near$.pipe(
            map((item) => ({ from: 'near' as const, item })),
            takeUntil(received$.pipe(last(null, null))),
          ),
          received$.pipe(map((item) => ({ from: 'far' as const, item }))),
          received$.pipe(tap(far$), ignoreElements()), // after the line above, so that a message comes before its response
        ),
      ),
    );
  });
