/** How the questions of a turn reach a person: one at a time, or together, and how long they keep the turn waiting. */
import {
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  finalize,
  map,
  merge,
  type Observable,
  switchMap,
  take,
} from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';

/**
 * Asks as `ask` does, but a question goes out only when the previous question has its verdict, or needs none any more. Questions keep
 * their order. Calls that ask by a task ask at once.
 *   ask  -y--n      (y, n the verdicts)
 *   1st  QY         (both asked at once; Q the question, Y, N what follows the verdict)
 *   2nd  -Q--N
 */
export const askInTurn = (ask: Ask): Ask => {
  const line$ = new BehaviorSubject<readonly object[]>([]); // the questions that are open or wait, in their order
  return (about, question, then) => {
    if (about.asksByTask) return ask(about, question, then);
    return defer(() => {
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
};

/** What tells whether a turn waits for a person. */
export type Asking = {
  ask: Ask;
  /** True while a question of this call is open that keeps its turn waiting, see `Asker`. Emits at once, and never completes. */
  isAsking: (callId: string) => Observable<boolean>;
};

/** The same `ask`, which counts the open questions of calls that ask by a task. */
export const countQuestions = (ask: Ask): Asking => {
  const open$ = new BehaviorSubject<ReadonlyMap<string, number>>(new Map()); // by call: the wire from questions to the time of their turns
  const add = (callId: string, by: number): void => {
    const count = (open$.value.get(callId) ?? 0) + by;
    const others = [...open$.value].filter(([id]) => id !== callId);
    open$.next(new Map(count === 0 ? others : [...others, [callId, count]]));
  };
  return {
    ask: (about, question, then) => {
      if (!about.asksByTask) return ask(about, question, then);
      return defer(() => {
        let left = 1; // of this question
        const close = () => {
          if (left > 0) add(about.callId, -left);
          left = 0;
        };
        add(about.callId, left);
        return ask(about, question, (verdict) => {
          close();
          return then(verdict);
        }).pipe(finalize(close));
      });
    },
    isAsking: (callId) =>
      open$.pipe(
        map((open) => open.has(callId)),
        distinctUntilChanged(),
      ),
  };
};
