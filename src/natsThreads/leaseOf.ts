/** The lease of one thread for this process. */
import { type Holder, inUse, leaseOver, readHolder, takenOver, toLeaseData } from './holder';
import type { LeaseDeps } from './lease';
import type { ThreadPlace } from './threadPlace';

/** @param self this store; @param newId never gives the same id twice; @param clockMs only goes forward */
export type LeaseHere = { self: Omit<Holder, 'token'>; newId: () => string; clockMs: () => number };

export const leaseOf = ({ self, newId, clockMs }: LeaseHere, place: ThreadPlace, id: string): LeaseDeps => {
  const { leases, leaseMs, address } = place;
  return {
    ...{ leases, leaseMs, clockMs, key: id },
    data: toLeaseData({ ...self, token: newId() }),
    inUse: (data) => inUse(id, readHolder(data), { store: self.store, leaseMs }),
    lost: (data) => (data === undefined ? leaseOver(id, address, leaseMs) : takenOver(id, readHolder(data))),
  };
};
