/** Shares one lookup among all calls within a task of the event loop. */

/** @param afterTask runs a function when the current task of the event loop is over, such as `queueMicrotask` */
export type OncePerTaskDeps = { afterTask: (run: () => void) => void };

/**
 * Caches what `look` returned until the current task of the event loop is over: calls that arrive in one read share a result, and no later call
 * gets a stale one. If a lookup throws, nothing is cached.
 * @param keyOf identifies an input, as in a Map; by default the input itself
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
