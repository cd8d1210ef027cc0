/** The lease of one thread for this process. */
import { type Holder, inUse, leaseOver, readHolder, takenOver, toLeaseData } from './holder';
import type { LeftLeases } from './leftLeases';
import type { ThreadPlace } from './threadPlace';
import type { LeaseDeps } from './writeLease';

/** @param self this store, @param left its leases whose work is over; @param newId never gives the same id twice; @param clockMs only goes forward */
export type LeaseHere = { self: Omit<Holder, 'token'>; left: LeftLeases; newId: () => string; clockMs: () => number };

/** What taking, renewing and giving back the lease of the thread `id` needs, with a new token. */
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
