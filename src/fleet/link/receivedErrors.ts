/** Errors of one connection that a caller has received. */

/** `add` takes an error with its causes; `has` is true for any of them. */
export type ReceivedErrors = { add: (error: unknown) => void; has: (error: Error) => boolean };

/** A weak set, which is changed in place by each error. */
export const receivedErrors = (): ReceivedErrors => {
  const received = new WeakSet<object>();
  const add = (error: unknown): void => {
    if (typeof error !== 'object' || error === null || received.has(error)) return;
    received.add(error);
    add((error as { cause?: unknown }).cause);
  };
  return { add, has: (error) => received.has(error) };
};
