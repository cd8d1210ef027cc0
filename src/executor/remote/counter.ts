/** Owns counting. */

/** 1, 2, 3, … */
export const counter = (): (() => number) => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
};
