/** An immutable array with gaps. An update copies one chunk and the list of chunks, so that each line of a long recording costs little. */

/** The items by chunk. */
export type SparseArray<T> = readonly (readonly (T | undefined)[] | undefined)[];

const CHUNK_BITS = 8;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/** The item at an index from 0 on; undefined if there is none. */
export const itemAt = <T>(array: SparseArray<T>, index: number): T | undefined =>
  array[index >> CHUNK_BITS]?.[index & CHUNK_MASK];

/** A new array that has the item at this index; undefined removes it. */
export const withItem = <T>(array: SparseArray<T>, index: number, item: T | undefined): SparseArray<T> => {
  const chunk = [...(array[index >> CHUNK_BITS] ?? [])];
  chunk[index & CHUNK_MASK] = item;
  const chunks = [...array];
  chunks[index >> CHUNK_BITS] = chunk;
  return chunks;
};

/** All items, in the order of their indices. */
export const itemsOf = <T>(array: SparseArray<T>): T[] =>
  array.flatMap((chunk = []) => chunk.filter((item) => item !== undefined) as T[]);
