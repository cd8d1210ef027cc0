/**
 * Pairs the items of two runs: as many equal ones as possible, by the longest common subsequence.
 * Own code, as this room depends on RxJS only; the runs are short excerpts, so a plain table is fast enough.
 */

/** An item of the earlier run and its counterpart in the later one; undefined where one side has none. */
export type Pair<A, B> = { before?: A; now?: B };

/** Pairs in order. An item without an equal stands alone, or against the one that took its place. */
export const pairUp = <A, B>(
  before: readonly A[],
  now: readonly B[],
  isSame: (a: A, b: B) => boolean,
): Pair<A, B>[] => {
  const common = commonLengths(before, now, isSame);
  const pairs: Pair<A, B>[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    const step = nextStep({ i, j, common, ends: [before.length, now.length] });
    pairs.push({ ...(step.before && { before: before[i] }), ...(step.now && { now: now[j] }) });
    i += step.before ? 1 : 0;
    j += step.now ? 1 : 0;
  }
  return pairs;
};

/** How long the longest common subsequence is from two places on, and whether the two items there are equal. */
type Common = { lengthFrom: (i: number, j: number) => number; isEqual: (i: number, j: number) => boolean };

type Place = { i: number; j: number; common: Common; ends: readonly [number, number] };

/** Which side goes on: both where the items are equal or replace each other, else the one without a counterpart. */
const nextStep = ({ i, j, common, ends }: Place): { before: boolean; now: boolean } => {
  const [hasBefore, hasNow] = [i < ends[0], j < ends[1]];
  const rest = common.lengthFrom(i, j);
  const isReplaced = common.lengthFrom(i + 1, j + 1) === rest;
  if (hasBefore && hasNow && (isReplaced || common.isEqual(i, j))) return { before: true, now: true };
  const isRemoved = hasBefore && (!hasNow || common.lengthFrom(i + 1, j) === rest);
  return { before: isRemoved, now: !isRemoved };
};

const commonLengths = <A, B>(a: readonly A[], b: readonly B[], isSame: (a: A, b: B) => boolean): Common => {
  const equal = a.map((one) => b.map((other) => isSame(one, other)));
  const lengths: number[][] = [];
  const lengthFrom = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row: number[] = [];
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = equal[i]?.[j] ? lengthFrom(i + 1, j + 1) + 1 : Math.max(lengthFrom(i + 1, j), row[j + 1] ?? 0);
    }
    lengths[i] = row;
  }
  return { lengthFrom, isEqual: (i, j) => equal[i]?.[j] ?? false };
};
