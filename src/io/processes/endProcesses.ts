/** The end of a service that has connections and processes of its own. */
import { defer, type Observable, type Subject, takeUntil, timer } from 'rxjs';

/**
 * @param over$ ends what is connected; @param none$ completes once no process is left
 * @param waitMs how long processes may take that are given the time; what is left then is ended by its watcher
 */
export type EndProcessesDeps = { over$: Subject<void>; none$: Observable<never>; waitMs: number };

/**
 * Ends all, and completes when no process is left, or after `waitMs`. Emits nothing.
 *   over$  o
 *   none$  ----|
 *   out    ----|
 */
export const endProcesses = ({ over$, none$, waitMs }: EndProcessesDeps): Observable<never> =>
  defer(() => {
    over$.next();
    return none$.pipe(takeUntil(timer(waitMs)));
  });
