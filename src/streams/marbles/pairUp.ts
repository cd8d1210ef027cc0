/**
 * Pairs the items of two runs: as many equal ones as possible, by the longest common subsequence.
 * Own code, because this room depends on RxJS only; the runs are short excerpts, so a plain table is fast enough.
 */
import { isSame as isEqual } from './isSame';

/** An item of the earlier run and its counterpart in the later one; undefined if one side has none. */
export type Pair<A, B> = { before?: A; now?: B };

/** Pairs in order. An item without an equal is paired with nothing, or with the item that took its place. */
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

/** The length of the longest common subsequence from two positions on, and whether the two items there are equal. */
type Common = { lengthFrom: (i: number, j: number) => number; isEqual: (i: number, j: number) => boolean };

type Place = { i: number; j: number; common: Common; ends: readonly [number, number] };

/** Which side advances: both if the items are equal or replace each other, otherwise the one without a counterpart. */
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

/** Two items, undefined if one side has none; `index` is the position of the first of them. */
export type ItemPair = { before: unknown; after: unknown; index: number };

/** Longer lists are paired by position: the table would be too large. */
const MAX_PAIRS = 40_000;
/** Members that identify an item. */
const NAMES = ['name', 'id', 'uri', 'key', 'path', 'title'];

/** Pairs in order. Items belong together if they are equal, have the same name, or agree in half of their members. */
export const pairItems = (before: readonly unknown[], after: readonly unknown[]): ItemPair[] => {
  const start = commonStart(before, after);
  const [left, right] = [before.slice(start), after.slice(start)];
  if (left.length * right.length > MAX_PAIRS || left.length === 0 || right.length === 0) {
    return byPlace(left, right, start);
  }
  let [i, j] = [start, start];
  return pairUp(wrapped(left), wrapped(right), ([a], [b]) => isAlike(a, b)).map((pair) => {
    const index = pair.before ? i : j;
    i += pair.before ? 1 : 0;
    j += pair.now ? 1 : 0;
    return { before: pair.before?.[0], after: pair.now?.[0], index };
  });
};

/** Wraps items, because an item may itself be undefined, like the missing side of a pair. */
const wrapped = (items: readonly unknown[]): [unknown][] => items.map((item) => [item]);

const byPlace = (left: readonly unknown[], right: readonly unknown[], start: number): ItemPair[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    before: left[i],
    after: right[i],
    index: start + i,
  }));

const commonStart = (before: readonly unknown[], after: readonly unknown[]): number => {
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && isEqual(after[at], before[at])) at += 1;
  return at;
};

const isAlike = (a: unknown, b: unknown): boolean => {
  if (isEqual(b, a)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const name = NAMES.find((member) => typeof a[member] === 'string' && typeof b[member] === 'string');
  if (name !== undefined) return a[name] === b[name];
  const members = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return 2 * members.filter((member) => isEqual(b[member], a[member])).length >= members.length;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
