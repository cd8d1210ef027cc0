/** Owns putting a question to a peer inside the stream that goes to it. */
import { defer, EMPTY, filter, merge, mergeMap, type Observable, of, take } from 'rxjs';

export type AskPeerDeps<A extends { id: unknown }> = {
  answer$: Observable<A>;
  newId: () => A['id'];
  instead?: (id: A['id']) => Observable<A>;
};

/**
 * `(question, then) => stream` of the question and of what follows its answer.
 * The answer is listened for before the question leaves, so one that comes at once is not lost.
 * @param answer$ hot; every answer that comes from the peer
 * @param newId the next id, never the same twice
 * @param instead an answer in the peer's place, for when it gives none
 * Completes with `then`, or with `answer$` when no answer came. Unsubscribing forgets the question.
 *   answer$ ---y
 *   out     Q--T       (Q question(id), T from then(y))
 */
export const askPeer =
  <A extends { id: unknown }>({ answer$, newId, instead = () => EMPTY }: AskPeerDeps<A>) =>
  <T>(question: (id: A['id']) => T, then: (answer: A) => Observable<T>): Observable<T> =>
    defer(() => {
      const id = newId();
      const mine$ = merge(answer$.pipe(filter((answer) => answer.id === id)), instead(id));
      return merge(mine$.pipe(take(1), mergeMap(then)), of(question(id)));
    });
