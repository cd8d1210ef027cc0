/** Owns the lead of an answer over what is told after it. */
import { concat, ignoreElements, type MonoTypeOperatorFunction, type Observable, of, take, timer } from 'rxjs';
import { mapInTurn } from '../../../streams';
import type { Said } from '../execMethod';

/**
 * Passes all in its order, and holds for `leadMs` what follows the answer. A client that gets to know a process by the
 * answer to its start would miss what comes in the same read as that, so the two do not leave together.
 *   in  A-o-p----q-|
 *   out A---(op)-q-|     (A the answer, leadMs 4)
 */
export const answerFirst =
  (leadMs: number): MonoTypeOperatorFunction<Said> =>
  (said$) =>
    said$.pipe(mapInTurn<Said, Said>((said) => (said.kind === 'answer' ? concat(of(said), lead(leadMs)) : said)));

/** Counts from the next turn on: in this one the clock stands, and starting a process takes milliseconds of it. */
const lead = (leadMs: number): Observable<never> => timer(0, leadMs).pipe(take(2), ignoreElements());
