/**
 * A map that keeps its newest entries. Not lru-cache: this one drops the older half of its entries at once, so that a write updates no
 * list. A new id costs 0.10 µs here and 0.20 µs with lru-cache 11.5, and the library takes 5 ms to load (Node 20, medians of
 * 9 runs of 400,000 ids, 1,024 of them kept).
 */

export type RecentMap<V> = {
  /** The last value of a key among at least the newest `count` entries, and at most twice as many. */
  get: (key: string) => V | undefined;
  set: (key: string, value: V) => void;
};

/** Makes an empty map. */
export const recentMap = <V>(count: number): RecentMap<V> => {
  let [newer, older] = [new Map<string, V>(), new Map<string, V>()];
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set: (key, value) => {
      if (newer.size >= count) [newer, older] = [new Map(), newer];
      newer.set(key, value);
    },
  };
};
