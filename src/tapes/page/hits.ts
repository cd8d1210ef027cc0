/** Looks up whether the search found one of several marbles. */
import type { Model } from './model';

/** Marbles of one lane, from the first to the last. */
export type MarbleRange = { first: number; last: number; lane: number };

/** Whether one of the hits, which ascend, is in a range. */
export const hasHit = ({ marbles }: Model, hits: readonly number[], { first, last, lane }: MarbleRange): boolean => {
  for (let i = rankFrom(hits, first); i < hits.length && (hits[i] ?? 0) <= last; i += 1) {
    if (marbles.lane[hits[i] ?? 0] === lane) return true;
  }
  return false;
};

/** The place of the first hit that is not before a marble. */
const rankFrom = (hits: readonly number[], marble: number): number => {
  let [low, high] = [0, hits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle] ?? 0) < marble) low = middle + 1;
    else high = middle;
  }
  return low;
};
