/** Ids that count: 1, 2, 3, … */

/** Each call gives the next integer, beginning with 1. */
export const counter = (): (() => number) => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
};
