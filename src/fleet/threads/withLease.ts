/** Does something with a thread while this process has its lease. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  expand,
  ignoreElements,
  type Observable,
  of,
  switchMap,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { releaseLease, renewLease } from './lease';
import { takeLease } from './takeLease';
import { type Lease, type LeaseDeps, tokenOf } from './writeLease';

/**
 * Takes the lease, runs the work, renews the lease meanwhile, and removes it before the work completes or errors. Errors with ThreadError
 * where the lease cannot be taken, and stops the work where it is lost: a renewal finds another's, or none succeeded for nine tenths of it.
 * Unsubscribing leaves the lease to its end, or to the next turn of this store, which may take its place.
 *   bucket   c---u---u----x      (c create, u update, x remove)
 *   work      -a----b----|
 *   out       -a----b-----|
 */
export const withLease =
  (deps: LeaseDeps) =>
  <T>(work$: Observable<T>): Observable<T> =>
    takeLease(deps).pipe(
      switchMap((first) => {
        let last: Lease | undefined = first; // the one that is removed; none where it is lost
        const renewing$ = of(first).pipe(
          expand((lease) => renewLease(deps, lease)),
          tap({
            next: (lease) => {
              last = lease;
            },
            error: () => {
              last = undefined;
              leave(deps);
            },
          }),
          ignoreElements(),
        );
        const release$ = defer(() => (last === undefined ? EMPTY : releaseLease(deps, last)));
        return concat(work$.pipe(takeUntil(renewing$)), release$).pipe(
          catchError((error) =>
            concat(
              release$,
              throwError(() => error),
            ),
          ),
          tap({ unsubscribe: () => leave(deps) }),
        );
      }),
    );

/** The next turn of this store may take its place. */
const leave = ({ left, data }: LeaseDeps): void => left.leave(tokenOf(data));
