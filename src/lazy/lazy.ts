/**
 * Wraps a function so that it runs at the first call only; later calls get what it made. A throw is not kept.
 */
export const lazy = <T extends object | string>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
