/** Finds the paths at which two JSON values differ. Own code: jsondiffpatch and fast-json-patch make patches, with moves and removals. */
import { diffArrays } from 'diff';
import { isSame as isEqual } from './isSame';

/** A path and the value at it on either side, undefined if there is none. */
export type Difference = { path: string; recorded: unknown; now: unknown };

/** The paths at which `now` differs from `recorded`, in the order of `recorded`. The order of members does not count. @param path the name of the root */
export const diffJson = (recorded: unknown, now: unknown, path: string): Difference[] => {
  if (Object.is(recorded, now)) return [];
  if (isObject(recorded) && isObject(now)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
    return names.flatMap((name) => diffJson(recorded[name], now[name], `${path}${toMember(name)}`));
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    return pairItems(recorded, now).flatMap(({ before, after, index }) => diffJson(before, after, `${path}[${index}]`));
  }
  return [{ path, recorded, now }];
};

/** A name with blanks, invisible characters, or characters of a path is quoted. */
const toMember = (name: string): string =>
  /[\p{C}\p{Z}.[\]"*]/u.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`;

const MAX_CHARS = 120;
/** How much of two texts is shown before the place where they diverge. */
const CONTEXT_CHARS = 40;

const toText = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))); // a function has no JSON

/** Both values as texts of limited length; of long texts the part around the first difference. */
const shownPair = ({ recorded, now }: Pick<Difference, 'recorded' | 'now'>, maxChars: number): [string, string] => {
  if (typeof recorded !== 'string' || typeof now !== 'string') {
    return [cut(toText(recorded), { from: 0, maxChars }), cut(toText(now), { from: 0, maxChars })];
  }
  const isLong = Math.max(recorded.length, now.length) > maxChars;
  const context = Math.min(CONTEXT_CHARS, Math.floor(maxChars / 3));
  const from = isLong ? Math.max(0, commonLength(recorded, now) - context) : 0;
  return [toText(cut(recorded, { from, maxChars })), toText(cut(now, { from, maxChars }))];
};

const commonLength = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
};

const cut = (text: string, { from, maxChars }: { from: number; maxChars: number }): string =>
  `${from > 0 ? '…' : ''}${text.slice(from, from + maxChars)}${text.length > from + maxChars ? '…' : ''}`;

/** A difference as a line of text. @param names the names of the two sides */
const describeDifference =
  ([before, nameNow]: readonly [string, string]) =>
  ({ path, recorded, now }: Difference): string => {
    const [textBefore, textNow] = shownPair({ recorded, now }, MAX_CHARS);
    return `${path}: ${before} ${textBefore}, ${nameNow} ${textNow}`;
  };

/** A difference between a recording and a run. */
export const toDifferenceText = describeDifference(['recorded', 'now']);

/** How many characters of a value are shown at least. */
const LEAST_CHARS = 16;

/**
 * A difference as one line if it fits into this many columns, otherwise with the values below each other, cut around the place where they diverge.
 * @param names the names of the two sides
 */
export const differenceLines =
  (names: readonly [string, string], columns: number) =>
  (difference: Difference): string[] => {
    const line = describeDifference(names)(difference);
    if (line.length <= columns) return [line];
    const width = Math.max(...names.map(({ length }) => length)) + INDENT.length + 1;
    const maxChars = Math.max(LEAST_CHARS, Math.min(MAX_CHARS, columns - width - 2 * '"…'.length));
    const values = shownPair(difference, maxChars);
    return [`${difference.path}:`, ...values.map((value, i) => `${INDENT}${names[i]}`.padEnd(width) + value)];
  };

const INDENT = '  ';

/** An item of the earlier run and its counterpart in the later one; undefined if one side has none. */
type Pair<A, B> = { before?: A; now?: B };

/** Pairs items in order: as many equal ones as possible. An item without an equal is paired with nothing, or with the item in its place. */
export const pairUp = <A, B>(
  before: readonly A[],
  now: readonly B[],
  isSame: (a: A, b: B) => boolean,
): Pair<A, B>[] => {
  const comparator = (a: unknown, b: unknown): boolean => isSame(a as A, b as B);
  const runs = diffArrays<unknown>([...before], [...now], { comparator });
  let [i, j] = [0, 0];
  return runs.flatMap(({ added, removed, count }, at) => {
    if (added && runs[at - 1]?.removed) return []; // paired with the removed items
    const replacing = runs[at + 1]?.added ? (runs[at + 1]?.count ?? 0) : 0;
    const [left, right] = removed ? [count, replacing] : [added ? 0 : count, count];
    const pairs = Array.from({ length: Math.max(left, right) }, (_, n) => ({
      ...(n < left && { before: before[i + n] as A }),
      ...(n < right && { now: now[j + n] as B }),
    }));
    [i, j] = [i + left, j + right];
    return pairs;
  });
};

type ItemPair = {
  before: unknown;
  after: unknown;
  /** The position of the first item that is there. */
  index: number;
};

/** Longer lists are paired by position: the table would be too large. */
const MAX_PAIRS = 40_000;
/** Members that identify an item. */
const NAMES = ['name', 'id', 'uri', 'key', 'path', 'title'];

/** Pairs in order. Items belong together if they are equal, have the same name, or agree in half of their members. */
const pairItems = (before: readonly unknown[], after: readonly unknown[]): ItemPair[] => {
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
