/** What goes on beside the turns of a service, such as writing what they said to a server. */
import { mergeAll, type Observable, Subject, switchMap, takeUntil, timer } from 'rxjs';

/**
 * `background` runs a task, which emits nothing and does not error. `tasks$` runs those that are given while it is subscribed; it takes no more when
 * `over$` emits, and completes when all have, or after so long.
 *   task    -a---b-
 *   over$   ------x
 *   tasks$  ---------|     (the tasks are over, or the time is)
 */
export const backgroundTasks = (over$: Observable<unknown>, limitMs: number) => {
  const task$ = new Subject<Observable<never>>(); // the wire from what goes on beside the turns to the process
  const tooLate$ = over$.pipe(switchMap(() => timer(limitMs)));
  return {
    background: (one$: Observable<never>): void => task$.next(one$),
    tasks$: task$.pipe(takeUntil(over$), mergeAll(), takeUntil(tooLate$)),
  };
};
