/**
 * Finds where two JSON values differ.
 * Own code, as this room depends on RxJS only and no library is needed for one walk over two values; those for JSON
 * (jsondiffpatch, fast-json-patch) give patches with moves and removals, which would have to be turned back into this list.
 */

/** A path and the value at it on either side, undefined where there is none. */
export type Difference = { path: string; recorded: unknown; now: unknown };

/** The paths at which `now` differs from `recorded`, in the order of `recorded`. The order of members does not count. @param path the name of the root */
export const diffJson = (recorded: unknown, now: unknown, path: string): Difference[] => {
  if (Object.is(recorded, now)) return [];
  if (isObject(recorded) && isObject(now)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
    return names.flatMap((name) => diffJson(recorded[name], now[name], `${path}${toMember(name)}`));
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const longer = recorded.length > now.length ? recorded : now;
    return longer.flatMap((_, i) => diffJson(recorded[i], now[i], `${path}[${i}]`));
  }
  return [{ path, recorded, now }];
};

/** A name with blanks, characters that are not seen, or those of a path is quoted. */
const toMember = (name: string): string =>
  /[\p{C}\p{Z}.[\]"*]/u.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_CHARS = 120;

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value); // a function has no JSON
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
};

/** A difference as a line of text. @param names what the two sides are called */
export const describeDifference =
  ([before, now]: readonly [string, string]) =>
  (difference: Difference): string =>
    `${difference.path}: ${before} ${shown(difference.recorded)}, ${now} ${shown(difference.now)}`;

/** A difference between a recording and a run. */
export const toDifferenceText = describeDifference(['recorded', 'now']);
