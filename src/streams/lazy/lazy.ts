/**
 * Wraps a function so that it runs only on the first call; later calls get its result. If it throws, the next call tries again.
 */
export const lazy = <T extends object | string>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
