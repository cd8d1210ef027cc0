/** Owns listening in on a port that is asked and answers with a stream: a model, an executor. */
import { defer, type Observable, tap } from 'rxjs';
import type { Tape } from './tape';

/** How the two sides of a seam are written; a line holds no line break. `newCall` never gives the same number twice. */
export type SeamDeps<Q, A> = {
  tape: Tape;
  seam: string;
  newCall: () => number;
  ofQuestion: (question: Q) => string;
  ofAnswer: (answer: A) => string;
};

/**
 * The same port, taped at its seam: the question as `in`, each answer as `out`, an error and an early end as `note`,
 * all with the number of their call.
 *   answer  --a--#
 *   tape    q-a--n    (q the question, n the error)
 */
export const recordCalls =
  <Q, A>(
    { tape, seam, newCall, ofQuestion, ofAnswer }: SeamDeps<Q, A>,
    ask: (question: Q) => Observable<A>,
  ): ((question: Q) => Observable<A>) =>
  (question) =>
    defer(() => {
      const call = newCall();
      const told = (dir: string, line: string) => tape({ dir, line, seam, call });
      told('in', ofQuestion(question));
      return ask(question).pipe(
        tap({
          next: (answer) => told('out', ofAnswer(answer)),
          error: (error: Error) => told('note', `failed: ${error.message}`),
          unsubscribe: () => told('note', 'stopped'),
        }),
      );
    });
