/** Tasks in parallel with the turns of a service, such as appends to a server. */
import { mergeAll, type Observable, Subject, switchMap, takeUntil, timer } from 'rxjs';
import { inputFirst } from '../streams/time/limits';

/** Runs a task in the background. It emits nothing and must not error. */
export type Background = { background: (task$: Observable<never>) => void };

/**
 * `tasks$` runs the tasks that `background` gets while it is subscribed. When `over$` emits it takes no more; it completes when all
 * tasks have, or `limitMs` later.
 *   task    -a---b-
 *   over$   ------x
 *   tasks$  ---------|     (the tasks have completed, or the time is over)
 */
export const backgroundTasks = (
  over$: Observable<unknown>,
  limitMs: number,
): Background & { tasks$: Observable<never> } => {
  const task$ = new Subject<Observable<never>>(); // the wire from the callers of `background` to the process
  const tooLate$ = over$.pipe(switchMap(() => timer(limitMs, inputFirst)));
  return {
    background: (one$) => task$.next(one$),
    tasks$: task$.pipe(takeUntil(over$), mergeAll(), takeUntil(tooLate$)),
  };
};
