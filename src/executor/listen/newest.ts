/** What was made last, by what it was made of. Own code: a Map keeps the order of its entries, so a package would be longer than these lines. */

/** Calls `make` once for equal inputs, as JSON has them, as long as they are among the last `many`. */
export const newest = <I, O>(many: number, make: (input: I) => O): ((input: I) => O) => {
  const made = new Map<string, O>();
  return (input) => {
    const key = JSON.stringify(input);
    const found = made.get(key) ?? make(input);
    made.delete(key);
    made.set(key, found);
    const [oldest] = made.keys();
    if (made.size > many && oldest !== undefined) made.delete(oldest);
    return found;
  };
};
