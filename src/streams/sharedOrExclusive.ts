/** A readers–writer lock: work that may run in parallel with other work, and work that runs alone. */
import {
  BehaviorSubject,
  concat,
  concatMap,
  defer,
  filter,
  finalize,
  ignoreElements,
  mergeAll,
  type Observable,
  type OperatorFunction,
  observeOn,
  of,
  queueScheduler,
  take,
} from 'rxjs';

/** Work that is ready to start. */
export type Prepared<R> = {
  /** `shared`: runs in parallel with other shared work; `exclusive`: runs alone. */
  access: 'shared' | 'exclusive';
  run: () => Observable<R>;
};

/**
 * Runs one piece of work after another, in order; consecutive shared pieces run in parallel. Work is prepared while nothing or only
 * shared work runs before it. Completes when all is done; errors with any. Work that ends synchronously does not start the next one from within
 * itself, but after it has returned: otherwise a thousand such pieces would overflow the stack.
 * @param prepare emits once
 *   in   aBc------|    (a, c shared, B exclusive, each three frames)
 *   out  ---a--B--c|
 */
export const sharedOrExclusive =
  <T, R>(prepare: (item: T) => Observable<Prepared<R>>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      const running$ = new BehaviorSubject(0); // the wire from work that ends to work that waits for it
      const idle$ = running$.pipe(
        filter((count) => count === 0),
        take(1),
      );
      const counted = (run: () => Observable<R>): Observable<R> =>
        defer(() => {
          running$.next(running$.value + 1);
          return run();
        }).pipe(finalize(() => running$.next(running$.value - 1)));
      const begin = ({ access, run }: Prepared<R>): Observable<Observable<R>> => {
        if (access === 'shared') return of(counted(run));
        const begun$ = concat(of(counted(run)), idle$.pipe(ignoreElements()));
        return idle$.pipe(concatMap(() => begun$));
      };
      return item$.pipe(
        concatMap((item) => prepare(item).pipe(concatMap(begin), observeOn(queueScheduler))),
        mergeAll(),
      );
    });
