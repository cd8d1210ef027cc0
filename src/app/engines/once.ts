/** Things that are made once for each name. */

/** Makes what belongs to a name at its first use, and gives that from then on. */
export const once = <T>(make: (name: string) => T): ((name: string) => T) => {
  const made = new Map<string, T>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    return found;
  };
};
