/** One look at this machine for all that comes together. */

/** @param afterTask runs a function when the work that the event loop runs now is over, such as `queueMicrotask` */
export type OncePerTaskDeps = { afterTask: (run: () => void) => void };

/**
 * Remembers what `look` returned until the work that the event loop runs now is over: calls that arrived together share one look, and none is
 * given what was seen before it arrived. What throws is not remembered.
 * @param keyOf what tells two inputs apart, as in a Map; by default the input itself
 */
export const oncePerTask = <A, R>(
  { afterTask }: OncePerTaskDeps,
  look: (input: A) => R,
  keyOf: (input: A) => unknown = (input) => input,
): ((input: A) => R) => {
  const seen = new Map<unknown, R>(); // changed in place: it is empty before the next task
  return (input) => {
    const key = keyOf(input);
    if (!seen.has(key)) {
      const result = look(input);
      if (seen.size === 0) afterTask(() => seen.clear());
      seen.set(key, result);
    }
    return seen.get(key) as R;
  };
};
