/** What goes on beside the turns of a service, such as appends to a server. */
import { mergeAll, type Observable, Subject, switchMap, takeUntil, timer } from 'rxjs';

/** Runs a task beside all else, which emits nothing and does not error. */
export type Background = { background: (task$: Observable<never>) => void };

/**
 * `tasks$` runs the tasks that are given while it is subscribed; it takes no more when
 * `over$` emits, and completes when all have, or after so long.
 *   task    -a---b-
 *   over$   ------x
 *   tasks$  ---------|     (the tasks are over, or the time is)
 */
export const backgroundTasks = (
  over$: Observable<unknown>,
  limitMs: number,
): Background & { tasks$: Observable<never> } => {
  const task$ = new Subject<Observable<never>>(); // the wire from what goes on beside the turns to the process
  const tooLate$ = over$.pipe(switchMap(() => timer(limitMs)));
  return {
    background: (one$) => task$.next(one$),
    tasks$: task$.pipe(takeUntil(over$), mergeAll(), takeUntil(tooLate$)),
  };
};
