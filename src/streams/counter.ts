/** Ids that count. */

/** Each call gives the next integer; the first is `first`. */
export const counter = (first = 1): (() => number) => {
  let next = first;
  return () => {
    next += 1;
    return next - 1;
  };
};
