/** Which executor of a pool gets the next process. */

/** What an executor reports about itself: `running` of at most `capacity` processes, `load` of its processors, 1 where all are busy. */
export type MemberStatus = {
  executor: string;
  instance: string;
  running: number;
  capacity: number;
  load: number;
};

/** The one with the smallest share of its capacity in use, then with the smallest load; undefined where none has room. */
export const leastLoaded = <M extends MemberStatus>(members: readonly M[]): M | undefined =>
  members
    .filter(({ running, capacity }) => running < capacity)
    .reduce<M | undefined>((best, one) => (best === undefined || isLess(one, best) ? one : best), undefined);

const isLess = (one: MemberStatus, other: MemberStatus): boolean => {
  const parts = one.running / one.capacity - other.running / other.capacity;
  if (parts !== 0) return parts < 0;
  if (one.load !== other.load) return one.load < other.load;
  return one.executor < other.executor;
};
