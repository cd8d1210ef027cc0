/** The lists of tools of a server that may announce changes as often as it likes. */
import { defer, EMPTY, exhaustMap, type MonoTypeOperatorFunction, merge, type Observable, of, repeat, tap } from 'rxjs';

/**
 * Lists once, and again after changes: one list at a time, and one more for all changes that came meanwhile, because each list is a request.
 * @param list$ never errors
 *   list$    -L|
 *   changed  ----cc--c
 *   out      -L---L-L-L
 */
export const latestLists =
  <T>(list$: Observable<T>) =>
  (changed$: Observable<unknown>): Observable<T> =>
    defer(() => {
      let isOld = false; // a change came since the last list began
      const listed$ = defer(() => {
        isOld = false;
        return list$;
      });
      const note: MonoTypeOperatorFunction<unknown> = tap(() => {
        isOld = true;
      });
      return merge(of(null), changed$).pipe(
        note,
        exhaustMap(() => listed$.pipe(repeat({ delay: () => (isOld ? of(null) : EMPTY) }))),
      );
    });
