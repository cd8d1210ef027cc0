/** Values that are made once: for ever, for each name, or for one task of the event loop. */

/** Wraps a function so that it runs only on the first call; later calls get its result. If it throws, the next call tries again. */
export const lazy = <T extends object | string>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Calls `make` at the first use of a name, and keeps its value. Own code: a package would be longer than these lines. */
export const memoize = <T>(make: (name: string) => T): ((name: string) => T) => {
  const made = new Map<string, T>();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name) as T;
  };
};

type OncePerTaskDeps = {
  /** Runs a function when the current task of the event loop is over, such as `queueMicrotask`. */
  afterTask: (run: () => void) => void;
};

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
