/** One write of a lease, and what it came to. */
import { catchError, defer, type MonoTypeOperatorFunction, map, type Observable, throwError, timer } from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsAddress';
import type { ThreadError } from '../../threads/threadError';
import type { NatsBucket, NatsEntry } from '../link/natsLink';
import { retryPassing } from '../operators/retryPassing';
import { readHolder } from './holder';
import type { LeftLeases } from './leftLeases';

/**
 * @param data the value of the lease, with a `token` of its own; @param left those of this store whose place it may take
 * @param leaseMs how long the server keeps the key after a write, by its own clock; no clock of another machine is read
 * @param clockMs of this process, which only goes forward
 * @param inUse the error where another has it, @param lost where another took it, or where nobody is known to have it
 */
export type LeaseDeps = {
  leases: NatsBucket;
  leaseMs: number;
  key: string;
  data: Uint8Array;
  left: LeftLeases;
  clockMs: () => number;
  inUse: (data: Uint8Array) => ThreadError;
  lost: (data?: Uint8Array) => ThreadError;
};

/** `sinceMs`: when the write was sent, which the server stored later. */
export type Lease = { revision: number; sinceMs: number };

/** What a lease holds, and its revision. */
export type Found = NatsEntry & { data: Uint8Array };

/** What a write came to: the lease, or what another wrote, if that is still there. */
export type Written = Lease | { found: Found | undefined };

/**
 * A write of ours whose response was lost shows as a conflict with ourselves.
 * @param ownMs from when the lease counts in that case
 */
export const written = (
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
                isOwn(found, data)
                  ? { revision: found.revision, sinceMs: ownMs }
                  : { found: isThere(found) ? found : undefined },
            ),
          );
      }),
    );
  });

const isThere = (found: NatsEntry | undefined): found is Found => found?.data !== undefined;

/** Whether what the server has was written with this value: the tokens are equal. */
export const isOwn = (found: NatsEntry | undefined, data: Uint8Array): found is Found =>
  isThere(found) && tokenOf(found.data) === tokenOf(data);

/** Whether it is a lease of this store whose work is over. */
export const isLeft = ({ left }: LeaseDeps, { data }: Found): boolean => left.isLeft(tokenOf(data));

/** The token in the value of a lease; each lease has its own. */
export const tokenOf = (data: Uint8Array): string => readHolder(data).token;

/** A failed write is tried again after a part of the lease. */
const RETRY_PART = 1 / 20;

/** Tries again while the failure is one that passes. */
export const whilePassing = <T>(leaseMs: number): MonoTypeOperatorFunction<T> =>
  retryPassing(Number.POSITIVE_INFINITY, () => timer(leaseMs * RETRY_PART));
