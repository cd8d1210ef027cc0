/** Exactly one answer per request: a result or an error, whatever the method behind it does. */
import type { OperatorFunction } from 'rxjs';
import { gather } from '../../streams/gather';

/** The result of a request. */
export type Result = { kind: 'result'; result: unknown };

/** Why a request has no result. */
export type Failure = { kind: 'failure'; error: unknown };

/** The result of a request, as a method emits it. */
export const toResult = (result: unknown): Result => ({ kind: 'result', result });

/**
 * Passes all of a method's messages up to a fault. An error before the result is a `failure`; so is a completion without one.
 * An error after the result, and a second result, end the stream and go to `report`.
 *   in   e-R-e-|     in   e-#         in   R-#       (e another message, R the result)
 *   out  e-R-e-|     out  e-(F|)      out  R-|       (F the failure)
 */
export const answerOnce = <E extends { kind: string }>(
  report: (error: unknown) => void,
): OperatorFunction<Result | E, Result | Failure | E> =>
  gather((emit) => {
    let isAnswered = false;
    const fail = (error: unknown): void => {
      if (isAnswered) report(error);
      else emit({ kind: 'failure', error });
    };
    return {
      next: (item, _, complete) => {
        const isSecond = item.kind === 'result' && isAnswered;
        if (item.kind === 'result') isAnswered = true;
        if (!isSecond) return emit(item);
        fail(new Error('a method gave a second result'));
        complete();
      },
      end: () => isAnswered || fail(new Error('a method gave no result')),
      fail,
    };
  });
