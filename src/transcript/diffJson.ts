/** Owns finding where two JSON values differ. */
import { isObject } from '../protocol';

/** A place and what stands there on either side; undefined where nothing does. */
export type Difference = { path: string; recorded: unknown; now: unknown };

/** The places where `now` differs from `recorded`, in the order of `recorded`; `path` names the root. The order of members is none. */
export const diffJson = (recorded: unknown, now: unknown, path: string): Difference[] => {
  if (Object.is(recorded, now)) return [];
  if (isObject(recorded) && isObject(now)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
    return names.flatMap((name) => diffJson(recorded[name], now[name], `${path}.${name}`));
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const longer = recorded.length > now.length ? recorded : now;
    return longer.flatMap((_, i) => diffJson(recorded[i], now[i], `${path}[${i}]`));
  }
  return [{ path, recorded, now }];
};

const MAX_CHARS = 120;

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value); // a function has no JSON
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
};

/** A difference in words. @param sides what the two sides are called */
export const inWords =
  ([before, now]: readonly [string, string]) =>
  (difference: Difference): string =>
    `${difference.path}: ${before} ${shown(difference.recorded)}, ${now} ${shown(difference.now)}`;

/** A difference from a recording, in words. */
export const toDifferenceText = inWords(['recorded', 'now']);
