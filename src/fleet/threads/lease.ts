/** How a lease on a thread is renewed and given back. */
import {
  catchError,
  EMPTY,
  ignoreElements,
  map,
  type Observable,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsError';
import { isOwn, type Lease, type LeaseDeps, tokenOf, whilePassing, written } from './writeLease';

/** Parts of the time of a lease: after the first it is renewed; after the second, without a renewal, the turn is stopped. */
const RENEW_PART = 1 / 4;
const STOP_PART = 9 / 10;
/** How long the last write may take altogether: as long as a cluster needs to elect a leader. An attempt is short. */
const RELEASE_MS = 10_000;
const RELEASE_ATTEMPT_MS = 1_000;

/**
 * Emits the next lease, when it is time. Errors with ThreadError where another has it, or where it could not be renewed in nine tenths of its time.
 *   update  -----u         (after a quarter)
 *   out     -----L
 */
export const renewLease = (deps: LeaseDeps, lease: Lease): Observable<Lease> => {
  const { leases, leaseMs, key, data, clockMs, lost } = deps;
  const leftMs = leaseMs * STOP_PART - (clockMs() - lease.sinceMs);
  const renewed$ = written(deps, leases.update(key, data, lease.revision), lease.sinceMs).pipe(
    map((result) => {
      if ('sinceMs' in result) return result;
      throw lost(result.found?.data);
    }),
    whilePassing(leaseMs),
  );
  return timer(leaseMs * RENEW_PART).pipe(
    switchMap(() => renewed$),
    timeout({ first: Math.max(0, leftMs), with: () => throwError(() => lost()) }),
  );
};

/**
 * Gives the lease back; completes when that is done, or was tried for ten seconds: a lease that stays keeps other processes from the thread until
 * its end, while this store may replace it. A renewal that was on its way may have been stored since.
 *   remove  -t-------x     (t no response, as while a leader is elected)
 *   out     ---------|
 */
export const releaseLease = (
  { leases, leaseMs, key, data, left }: LeaseDeps,
  { revision }: Lease,
): Observable<never> => {
  const late = () => throwError(() => new NatsError('timeout', `the lease ${key} could not be given back`));
  left.leave(tokenOf(data));
  return leases.remove(key, revision).pipe(
    catchError((error) =>
      isNatsFailure(error, 'conflict')
        ? leases.get(key).pipe(switchMap((found) => (isOwn(found, data) ? leases.remove(key, found.revision) : EMPTY)))
        : throwError(() => error),
    ),
    ignoreElements(),
    timeout({ first: RELEASE_ATTEMPT_MS, with: late }),
    whilePassing(leaseMs),
    tap({ complete: () => left.forget(tokenOf(data)) }),
    takeUntil(timer(RELEASE_MS)),
    catchError(() => EMPTY), // it ends by itself
  );
};
