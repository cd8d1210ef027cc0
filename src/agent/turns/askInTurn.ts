/** One question to a person at a time. */
import { BehaviorSubject, defer, EMPTY, filter, finalize, merge, switchMap, take } from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';

/**
 * Asks as `ask` does, but a question goes out only when the previous question has its verdict, or needs none any more. Questions keep
 * their order.
 *   ask  -y--n      (y, n the verdicts)
 *   1st  QY         (both asked at once; Q the question, Y, N what follows the verdict)
 *   2nd  -Q--N
 */
export const askInTurn = (ask: Ask): Ask => {
  const line$ = new BehaviorSubject<readonly object[]>([]); // the questions that are open or wait, in their order
  return (about, question, then) =>
    defer(() => {
      const ticket = {};
      const leave = () => {
        const rest = line$.value.filter((one) => one !== ticket);
        if (rest.length < line$.value.length) line$.next(rest);
      };
      line$.next([...line$.value, ticket]);
      return line$.pipe(
        filter(([first]) => first === ticket),
        take(1),
        switchMap(() =>
          ask(about, question, (verdict) =>
            merge(
              then(verdict),
              defer(() => {
                leave();
                return EMPTY;
              }),
            ),
          ),
        ),
        finalize(leave),
      );
    });
};
