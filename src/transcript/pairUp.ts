/** Owns pairing two runs of things: what is the same in both, as much as can be. */

/** What belongs together; what one side lacks is undefined. */
export type Pair<A, B> = { before?: A; now?: B };

/** Pairs in order; what is not the same stands alone, or against another of its place. */
export const pairUp = <A, B>(
  before: readonly A[],
  now: readonly B[],
  isSame: (a: A, b: B) => boolean,
): Pair<A, B>[] => {
  const length = commonLengths(before, now, isSame);
  const pairs: Pair<A, B>[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    const [hasBefore, hasNow] = [i < before.length, j < now.length];
    const here = length(i, j);
    const swap = length(i + 1, j + 1) === here;
    const same = hasBefore && hasNow && isSame(before[i] as A, now[j] as B);
    const both = hasBefore && hasNow && (same || swap);
    const pair: Pair<A, B> = {};
    if (both || (hasBefore && (!hasNow || length(i + 1, j) === here))) pair.before = before[i++];
    if (both || !('before' in pair)) pair.now = now[j++];
    pairs.push(pair);
  }
  return pairs;
};

/** How long the longest common subsequence is from a place in both on. */
const commonLengths = <A, B>(a: readonly A[], b: readonly B[], isSame: (a: A, b: B) => boolean) => {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      row[j] = isSame(a[i] as A, b[j] as B) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
};
