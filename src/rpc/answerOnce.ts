/** Exactly one answer per request: a result or an error, whatever the method behind it does. */
import { catchError, concat, defer, EMPTY, map, type Observable, of, throwError } from 'rxjs';

/** The result of a request. */
export type Result = { kind: 'result'; result: unknown };

/** Why a request has no result. */
export type Failure = { kind: 'failure'; error: unknown };

/** The result of a request, as a method emits it. */
export const toResult = (result: unknown): Result => ({ kind: 'result', result });

/**
 * Passes all of a method's messages up to a fault. An error before the result is a `failure`; so is a completion without one.
 * An error behind the result, and a second result, end the stream and go to `report`.
 *   in   e-R-e-|     in   e-#         in   R-#       (e another message, R the result)
 *   out  e-R-e-|     out  e-(F|)      out  R-|       (F the failure)
 */
export const answerOnce =
  <E extends { kind: string }>(report: (error: unknown) => void) =>
  (item$: Observable<Result | E>): Observable<Result | Failure | E> =>
    defer(() => {
      let isAnswered = false;
      const check = (item: Result | E): Result | E => {
        if (item.kind !== 'result') return item;
        if (isAnswered) throw new Error('a method gave a second result');
        isAnswered = true;
        return item;
      };
      const end$ = defer(() => (isAnswered ? EMPTY : throwError(() => new Error('a method gave no result'))));
      return concat(item$.pipe(map(check)), end$).pipe(
        catchError((error) => {
          if (!isAnswered) return of<Failure>({ kind: 'failure', error });
          report(error);
          return EMPTY;
        }),
      );
    });
