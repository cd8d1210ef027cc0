/** The steps of a lease on a thread: take, renew, release. */
import {
  catchError,
  defer,
  EMPTY,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  retry,
  switchMap,
  takeUntil,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import type { ThreadError } from '../rollout';
import { isNatsFailure, isPassing, type NatsBucket, type NatsEntry, NatsError } from '../transport/nats';
import { readHolder } from './holder';

/**
 * @param data the value of the lease, with a `token` of its own
 * @param leaseMs how long the server keeps the key after a write, by its own clock; no clock of another machine is read
 * @param clockMs of this process, which only goes forward
 * @param inUse the error where another has it, @param lost where another took it, or where nobody is known to have it
 */
export type LeaseDeps = {
  leases: NatsBucket;
  leaseMs: number;
  key: string;
  data: Uint8Array;
  clockMs: () => number;
  inUse: (data: Uint8Array) => ThreadError;
  lost: (data?: Uint8Array) => ThreadError;
};

/** `sinceMs`: when the write was sent, which the server stored later. */
export type Lease = { revision: number; sinceMs: number };

/** Parts of the lease: it is renewed after one, a failed renewal is tried again after another, and the turn is stopped before its end. */
const RENEW_PART = 1 / 4;
const RETRY_PART = 1 / 20;
const STOP_PART = 9 / 10;
/** How long the first write may take altogether, and the last one: as long as a cluster elects a leader. An attempt at the last one is short. */
const TAKE_MS = 10_000;
const RELEASE_MS = 10_000;
const RELEASE_ATTEMPT_MS = 1_000;

/**
 * Takes the lease; emits once. Errors with ThreadError where another has it, with NatsError where it could not be taken in ten seconds.
 *   create  -t---x         (t no response, x a conflict with ourselves)
 *   out     -----L
 */
export const takeLease = (deps: LeaseDeps): Observable<Lease> =>
  defer(() => {
    const { leases, key, data, leaseMs, clockMs, inUse } = deps;
    const firstMs = clockMs(); // an attempt whose response was lost may have been the one that counts
    const justEnded = new NatsError('timeout', `the lease ${key} could not be taken in ${TAKE_MS / 1_000} s`);
    return written(deps, leases.create(key, data), firstMs).pipe(
      map((result) => {
        if ('revision' in result) return result;
        throw result.found === undefined ? justEnded : inUse(result.found);
      }),
      whilePassing(leaseMs),
      timeout({ first: TAKE_MS, with: () => throwError(() => justEnded) }),
    );
  });

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
      if ('revision' in result) return result;
      throw lost(result.found);
    }),
    whilePassing(leaseMs),
  );
  return timer(leaseMs * RENEW_PART).pipe(
    switchMap(() => renewed$),
    timeout({ first: Math.max(0, leftMs), with: () => throwError(() => lost()) }),
  );
};

/**
 * Gives the lease back; completes when that is done, or was tried for ten seconds: a lease that stays would keep even this process from the
 * thread until its end. A renewal that was on its way may have been stored since.
 *   remove  -t-------x     (t no response, as while a leader is elected)
 *   out     ---------|
 */
export const releaseLease = ({ leases, leaseMs, key, data }: LeaseDeps, { revision }: Lease): Observable<never> => {
  const late = () => throwError(() => new NatsError('timeout', `the lease ${key} could not be given back`));
  return leases.remove(key, revision).pipe(
    catchError((error) =>
      isNatsFailure(error, 'conflict')
        ? leases.get(key).pipe(switchMap((found) => (isOwn(found, data) ? leases.remove(key, found.revision) : EMPTY)))
        : throwError(() => error),
    ),
    ignoreElements(),
    timeout({ first: RELEASE_ATTEMPT_MS, with: late }),
    whilePassing(leaseMs),
    takeUntil(timer(RELEASE_MS)),
    catchError(() => EMPTY), // it ends by itself
  );
};

const whilePassing = <T>(leaseMs: number): MonoTypeOperatorFunction<T> =>
  retry({ delay: (error) => (isPassing(error) ? timer(leaseMs * RETRY_PART) : throwError(() => error)) });

/** What a write came to: the lease, or what another wrote, if that is still there. */
type Written = Lease | { found: Uint8Array | undefined };

/**
 * A write of ours whose response was lost shows as a conflict with ourselves.
 * @param ownMs when the lease counts from then
 */
const written = (
  { leases, key, data, clockMs }: LeaseDeps,
  write$: Observable<number>,
  ownMs: number,
): Observable<Written> =>
  defer(() => {
    const sinceMs = clockMs();
    return write$.pipe(
      map((revision): Written => ({ revision, sinceMs })),
      catchError((error) => {
        if (!isNatsFailure(error, 'conflict')) return throwError(() => error);
        return leases
          .get(key)
          .pipe(
            map(
              (found): Written =>
                isOwn(found, data) ? { revision: found.revision, sinceMs: ownMs } : { found: found?.data },
            ),
          );
      }),
    );
  });

const isOwn = (found: NatsEntry | undefined, data: Uint8Array): found is NatsEntry & { data: Uint8Array } =>
  found?.data !== undefined && readHolder(found.data).token === readHolder(data).token;
