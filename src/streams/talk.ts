/** Owns joining two peers that live in one process; what they say to each other is none of its business. */
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

/** One thing that was said, by the near side or by the far one. */
export type Said<Near, Far> = { from: 'near'; item: Near } | { from: 'far'; item: Far };

/**
 * Lets two peers talk: what each emits the other hears. The subjects are the wire between them, nothing is kept.
 * @param near hears what the far side emits, and says what goes to it
 * @param far `out$ => in$`, as every transport is
 * Emits all that was said, in the order it was heard. Completes and errors with the far side; unsubscribing stops both.
 *   far  -A---B|     (A, B answers)
 *   out  nA---B|     (n what the near side says at once)
 */
export const talk = <Near, Far>(
  near: OperatorFunction<Far, Near>,
  far: OperatorFunction<Near, Far>,
): Observable<Said<Near, Far>> =>
  defer(() => {
    const far$ = new Subject<Far>();
    const near$ = new Subject<Near>();
    return far(near(far$).pipe(tap(near$))).pipe(
      connect((heard$) =>
        merge(
          near$.pipe(
            map((item) => ({ from: 'near' as const, item })),
            takeUntil(heard$.pipe(last(null, null))),
          ),
          heard$.pipe(map((item) => ({ from: 'far' as const, item }))),
          heard$.pipe(tap(far$), ignoreElements()), // behind the line above, so that a word is told before its answer
        ),
      ),
    );
  });
