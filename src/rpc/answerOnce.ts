/** Exactly one answer per request: a result or an error, whatever the method behind it does. */
import { defer, materialize, type Observable, type ObservableNotification, takeWhile } from 'rxjs';
import { mapMulti } from '../streams';

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
export const answerOnce =
  <E extends { kind: string }>(report: (error: unknown) => void) =>
  (item$: Observable<Result | E>): Observable<Result | Failure | E> =>
    defer(() => {
      let isAnswered = false;
      type Emit = (item: Result | Failure | E | undefined) => void;
      const fail = (error: unknown, emit: Emit): void => {
        if (isAnswered) report(error);
        emit(isAnswered ? undefined : { kind: 'failure', error });
      };
      const pass = (item: Result | E, emit: Emit): void => {
        const isSecond = item.kind === 'result' && isAnswered;
        if (item.kind === 'result') isAnswered = true;
        if (isSecond) fail(new Error('a method gave a second result'), emit);
        else emit(item);
      };
      return item$.pipe(
        materialize(), // each request passes this, and thousands wait: so it is made of few subscribers
        mapMulti<ObservableNotification<Result | E>, Result | Failure | E | undefined>((event, emit) => {
          if (event.kind === 'N') pass(event.value, emit);
          else if (event.kind === 'E') fail(event.error, emit);
          else if (!isAnswered) fail(new Error('a method gave no result'), emit);
        }),
        takeWhile((item): item is Result | Failure | E => item !== undefined),
      );
    });
