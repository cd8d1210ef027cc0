/** Freezes a plain value and all it holds; returns it. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
};
