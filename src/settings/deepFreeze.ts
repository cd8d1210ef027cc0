/**
 * Freezes a plain value and everything in it, and returns it. Own code: a package would be longer than these four lines.
 */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
};
