/**
 * A map by text that is a value: a change returns a new map and leaves the old one unchanged. Entries lie in buckets, buckets in rows, and a
 * change copies one of each. So it stays cheap with thousands of entries (copying a `Map` of 10,000 takes 2 ms on Node 20), and with few
 * entries, as nearly all rows are absent then.
 */

export type PersistentMap<V> = readonly (Row<V> | undefined)[];

type Row<V> = readonly (ReadonlyMap<string, V> | undefined)[];

/** Rows of a map, and buckets of a row; a hash selects one of each. A long session has a hundred thousand calls. */
const WIDTH = 64;
const NO_ROW = new Array<undefined>(WIDTH).fill(undefined);

/** All letters count: some agents number their calls, and the calls of a turn then differ in the middle. Source: FNV-1a. */
const hashOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (WIDTH * WIDTH - 1);
};

const rowOf = (hash: number): number => Math.floor(hash / WIDTH);
const placeOf = (hash: number): number => hash % WIDTH;

/** A map without entries. */
export const emptyMap = <V>(): PersistentMap<V> => NO_ROW;

/** The value of a key; undefined if there is none. */
export const getValue = <V>(map: PersistentMap<V>, key: string): V | undefined => bucketOf(map, key)?.get(key);

/** The map with this value for the key. */
export const withValue = <V>(map: PersistentMap<V>, key: string, value: V): PersistentMap<V> =>
  withBucket(map, key, new Map(bucketOf(map, key)).set(key, value));

/** The map without the key. */
export const withoutKey = <V>(map: PersistentMap<V>, key: string): PersistentMap<V> => {
  const before = bucketOf(map, key);
  if (!before?.has(key)) return map;
  const bucket = new Map(before);
  bucket.delete(key);
  return withBucket(map, key, bucket.size === 0 ? undefined : bucket);
};

/** All values, in no particular order. */
export const valuesOf = <V>(map: PersistentMap<V>): V[] =>
  map.flatMap((row) => row?.flatMap((bucket) => (bucket ? [...bucket.values()] : [])) ?? []);

const bucketOf = <V>(map: PersistentMap<V>, key: string): ReadonlyMap<string, V> | undefined => {
  const hash = hashOf(key);
  return map[rowOf(hash)]?.[placeOf(hash)];
};

/** A row without buckets is absent, so that maps with the same entries are equal. */
const withBucket = <V>(map: PersistentMap<V>, key: string, bucket: ReadonlyMap<string, V> | undefined) => {
  const hash = hashOf(key);
  const row: Row<V> = (map[rowOf(hash)] ?? NO_ROW).with(placeOf(hash), bucket);
  return map.with(rowOf(hash), row.every((one) => one === undefined) ? undefined : row);
};
