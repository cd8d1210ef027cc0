/** Memoizes by a name. Own code: a package would be longer than these lines. */

/**
 * Calls `make` at the first use of a name, and returns the same value for that name from then on. It keeps all of them: the names are those
 * of a configuration.
 */
export const memoize = <T>(make: (name: string) => T): ((name: string) => T) => {
  const made = new Map<string, T>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    return found;
  };
};
