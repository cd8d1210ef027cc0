/** Owns putting a question to a peer inside the stream that goes to it. */
import { defer, filter, merge, mergeMap, type Observable, of, take } from 'rxjs';

/**
 * `(question, then) => stream` of the question and of what follows its answer.
 * The answer is listened for before the question leaves, so one that comes at once is not lost.
 * @param answer$ hot; every answer that comes from the peer
 * @param newId the next id, never the same twice
 * Completes with `then`, or with `answer$` when no answer came. Unsubscribing forgets the question.
 *   answer$ ---y
 *   out     Q--T       (Q question(id), T from then(y))
 */
export const askPeer =
  <A extends { id: unknown }>({ answer$, newId }: { answer$: Observable<A>; newId: () => A['id'] }) =>
  <T>(question: (id: A['id']) => T, then: (answer: A) => Observable<T>): Observable<T> =>
    defer(() => {
      const id = newId();
      const mine$ = answer$.pipe(
        filter((answer) => answer.id === id),
        take(1),
        mergeMap(then),
      );
      return merge(mine$, of(question(id)));
    });
