/**
 * Finds where two JSON values differ.
 * Own code, because this room depends on RxJS only and no library is needed for one walk over two values; those for JSON
 * (jsondiffpatch, fast-json-patch) produce patches with moves and removals, which would have to be turned back into this list.
 */
import { pairItems } from './pairUp';

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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_CHARS = 120;
/** How much of two texts is shown before the place where they diverge. */
const CONTEXT_CHARS = 40;

const toText = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))); // a function has no JSON

type Pair = Pick<Difference, 'recorded' | 'now'>;

/** Both values as texts of limited length; of long texts the part around the first difference. */
const shownPair = ({ recorded, now }: Pair, maxChars: number): [string, string] => {
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
