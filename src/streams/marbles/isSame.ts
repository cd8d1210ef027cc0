/** Whether two values of a stream are the same by content. A member that is undefined counts as absent. */
import { isDeepStrictEqual } from 'node:util';

/** Compares by content. The expected value may contain matchers such as `expect.any(String)`. */
export const isSame = (actual: unknown, expected: unknown): boolean => {
  if (Object.is(actual, expected)) return true;
  if (!isHolder(actual) || !isHolder(expected))
    return isHolder(expected) && isMatcher(expected) && expected.asymmetricMatch(actual);
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (actual instanceof Error && expected instanceof Error) return isSameError(actual, expected);
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.length === expected.length && expected.every((one, i) => isSame(actual[i], one));
  }
  if (!isPlain(actual) || !isPlain(expected)) return isDeepStrictEqual(actual, expected);
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...names].every((name) => isSame(actual[name], expected[name]));
};

type Holder = Record<string, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;
const isPlain = (value: Holder): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null || prototype === Object.prototype || (!ArrayBuffer.isView(value) && !(Symbol.iterator in value))
  );
};

const isMatcher = (value: Holder): value is Holder & { asymmetricMatch: (actual: unknown) => boolean } =>
  typeof value.asymmetricMatch === 'function';

/** Compares errors by name, message and the members that are expected, such as a code; a system error has more, such as a path. */
const isSameError = (actual: Error & Holder, expected: Error & Holder): boolean =>
  [...new Set(['name', 'message', ...Object.keys(expected)])].every((name) => isSame(actual[name], expected[name]));
