/** How a lease on a thread is taken. */
import { defer, map, type Observable, of, switchMap, tap, throwError, timeout } from 'rxjs';
import { NatsError } from '../../io/nats/natsError';
import { isLeft, type Lease, type LeaseDeps, tokenOf, type Written, whilePassing, written } from './writeLease';

/** How long the first write may take altogether: as long as a cluster needs to elect a leader. */
const TAKE_MS = 10_000;

/**
 * Takes the lease, even in the place of one that this store could not give back; emits once. Errors with ThreadError where another has it, with
 * NatsError where it could not be taken in ten seconds: the server may have it then.
 *   create  -t---x         (t no response, x a conflict with ourselves)
 *   out     -----L
 */
export const takeLease = (deps: LeaseDeps): Observable<Lease> =>
  defer(() => {
    const { leases, leaseMs, key, data, left, clockMs, inUse } = deps;
    const firstMs = clockMs(); // an attempt whose response was lost may have been the one that counts
    const late = new NatsError('timeout', `the lease ${key} could not be taken in ${TAKE_MS / 1_000} s`);
    const taken = (result: Written): Lease => {
      if ('sinceMs' in result) return result;
      throw result.found === undefined || isLeft(deps, result.found) ? late : inUse(result.found.data); // both may pass
    };
    return written(deps, leases.create(key, data), firstMs).pipe(
      switchMap((result) => inPlaceOfLeft(deps, result, firstMs)),
      map(taken),
      whilePassing(leaseMs),
      timeout({ first: TAKE_MS, with: () => throwError(() => late) }),
      tap({ error: (error) => error instanceof NatsError && left.leave(tokenOf(data)) }),
    );
  });

/** Overwrites a lease of this store whose work is over; no other store does that. */
const inPlaceOfLeft = (deps: LeaseDeps, result: Written, firstMs: number): Observable<Written> => {
  const { leases, key, data, left } = deps;
  if ('sinceMs' in result || result.found === undefined || !isLeft(deps, result.found)) return of(result);
  const before = tokenOf(result.found.data);
  return written(deps, leases.update(key, data, result.found.revision), firstMs).pipe(
    tap((then) => 'sinceMs' in then && left.forget(before)),
  );
};
