/** Names that nothing else has. */

/** The entries as an object. A name that is `taken`, or that an earlier entry has, gets `_2`, then `_3`. */
export const withFreeNames = <T>(
  entries: readonly [name: string, value: T][],
  taken: object = {},
): Record<string, T> => {
  const named = new Map<string, T>();
  const counts = new Map<string, number>(); // so that thousands of one name are not tried from the first again
  const toFree = (name: string): string => {
    const count = counts.get(name) ?? 1;
    const free = count === 1 ? name : `${name}_${count}`;
    counts.set(name, count + 1);
    return named.has(free) || Object.hasOwn(taken, free) ? toFree(name) : free;
  };
  for (const [name, value] of entries) named.set(toFree(name), value);
  return Object.fromEntries(named);
};
