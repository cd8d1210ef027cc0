/** The lease of a thread: which process has it, as a key that the server removes after a while; its value, one write, its errors. */
import { catchError, defer, type MonoTypeOperatorFunction, map, type Observable, throwError, timer } from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { parseObject, textOf } from '../../protocol/jsonrpc/json';
import { ThreadError } from '../../threads/threadError';
import type { NatsBucket, NatsEntry } from '../link/natsLink';
import { retryPassing } from '../operators/retryPassing';
import type { ThreadPlace } from './threadPlace';

export type LeaseDeps = {
  leases: NatsBucket;
  /** How long the server keeps the key after a write, by its own clock; no clock of another machine is read. */
  leaseMs: number;
  key: string;
  /** The value of the lease, with its own `token`. */
  data: Uint8Array;
  /** Leases of this store that it may replace. */
  left: LeftLeases;
  /** Of this process; only goes forward. */
  clockMs: () => number;
  /** The error if another process has it. */
  inUse: (data: Uint8Array) => ThreadError;
  /** The error if another process took it, or if nobody is known to have it. */
  lost: (data?: Uint8Array) => ThreadError;
};

export type Lease = {
  revision: number;
  /** When the write was sent; the server stored it later. */
  sinceMs: number;
};

type Found = NatsEntry & { data: Uint8Array };

/** Result of a lease write: our lease, or the competing entry (undefined if it is gone by now). */
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

/** True if the server has this value: the tokens are equal. */
export const isOwn = (found: NatsEntry | undefined, data: Uint8Array): found is Found =>
  isThere(found) && tokenOf(found.data) === tokenOf(data);

/** True for a lease of this store whose work is over. */
export const isLeft = ({ left }: LeaseDeps, { data }: Found): boolean => left.isLeft(tokenOf(data));

/** The token in the value of a lease; each lease has its own. */
export const tokenOf = (data: Uint8Array): string => readHolder(data).token;

/** A failed write is tried again after a part of the lease. */
const RETRY_PART = 1 / 20;

/** Tries again while the failure passes. */
export const whilePassing = <T>(leaseMs: number): MonoTypeOperatorFunction<T> =>
  retryPassing(Number.POSITIVE_INFINITY, () => timer(leaseMs * RETRY_PART));

export type LeaseHere = {
  /** This store. */
  self: Omit<Holder, 'token'>;
  /** Its leases whose work is over. */
  left: LeftLeases;
  /** Never returns the same id twice. */
  newId: () => string;
  /** Only goes forward. */
  clockMs: () => number;
};

/** What taking, renewing and releasing the lease of the thread `id` needs, with a new token. */
export const leaseOf = ({ self, left, newId, clockMs }: LeaseHere, place: ThreadPlace, id: string): LeaseDeps => {
  const { leases, leaseMs, address } = place;
  return {
    leases,
    leaseMs,
    clockMs,
    left,
    key: id,
    data: toLeaseData({ ...self, token: newId() }),
    inUse: (data) => inUse(id, readHolder(data), { store: self.store, leaseMs }),
    lost: (data) => (data === undefined ? leaseOver(id, address, leaseMs) : takenOver(id, readHolder(data))),
  };
};

/** Leases whose work is over, though the server may still have them, by their tokens. */
type LeftLeases = {
  /** The work of the lease is over. */
  leave: (token: string) => void;
  /** The server no longer has the lease. */
  forget: (token: string) => void;
  /** Another turn of this store may replace the lease. */
  isLeft: (token: string) => boolean;
};

/** A lease ends by itself: of so many only the newest can matter. */
const MAX = 1_000;

/** A set that is changed in place, by each end of a turn. */
export const leftLeases = (max = MAX): LeftLeases => {
  const tokens = new Set<string>();
  const forget = (token: string) => void tokens.delete(token);
  const leave = (token: string) => {
    forget(token);
    tokens.add(token);
    for (const oldest of [...tokens].slice(0, Math.max(0, tokens.size - max))) forget(oldest);
  };
  return { leave, forget, isLeft: (token) => tokens.has(token) };
};

type Holder = {
  host: string;
  pid: number;
  /** Different for each store of the process. */
  store: string;
  /** Different for each lease. */
  token: string;
};

/** The value of a lease. */
export const toLeaseData = ({ host, pid, store, token }: Holder): Uint8Array =>
  new Uint8Array(Buffer.from(JSON.stringify({ host, pid, store, token })));

/** Reads the value of a lease; a member that it lacks is '' or 0. */
export const readHolder = (data: Uint8Array): Holder => {
  const { host, pid, store, token } = parseObject(Buffer.from(data).toString('utf8')) ?? {};
  return {
    host: textOf(host),
    pid: typeof pid === 'number' ? pid : 0,
    store: textOf(store),
    token: textOf(token),
  };
};

const holderText = ({ host, pid }: Pick<Holder, 'host' | 'pid'>): string =>
  pid === 0 ? 'another program' : `the process ${pid} of the host ${host}`;

/** Why a thread that is in use cannot be taken. */
export const inUse = (
  id: string,
  holder: Holder,
  { store, leaseMs }: { store: string; leaseMs: number },
): ThreadError =>
  new ThreadError(
    holder.store === store
      ? `The thread ${id} is open in this server, where a turn of it runs. Call again when that has ended.`
      : `The thread ${id} is in use by ${holderText(holder)}. Call again when the turn there has ended; if that process has died, in ${Math.ceil(leaseMs / 1_000)} s.`,
  );

/** Another process has written to the thread since. */
export class FencedOff extends ThreadError {
  override name = 'FencedOff';
}

/** Why a turn is stopped when another process has taken its thread. */
export const takenOver = (id: string, holder: Pick<Holder, 'host' | 'pid'> | undefined): FencedOff =>
  new FencedOff(
    `The thread ${id} was taken over by ${holder === undefined ? 'another process' : holderText(holder)}, as this one did not renew its lease in time. The turn is stopped, and what it did since is not in the thread. Call again to go on with the thread as it is there.`,
  );

/** Why a turn is stopped when the server has nothing of its thread any more. */
export const logGone = (id: string): FencedOff =>
  new FencedOff(
    `The thread ${id} is not in its store any more: it was removed there, or the server came back without its store. The turn is stopped, and what it did since is not kept. Start a new thread.`,
  );

/** Why a turn is stopped when its process cannot know whether it still has the thread. */
export const leaseOver = (id: string, address: string, leaseMs: number): ThreadError =>
  new ThreadError(
    `The lease of the thread ${id} is over: ${address} did not let it be renewed in time (${Math.ceil(leaseMs / 1_000)} s). The turn is stopped, as another process may have the thread. Call again when the server answers.`,
  );
