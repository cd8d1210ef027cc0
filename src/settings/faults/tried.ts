/** A step that may fail by a fault of the configuration. */
import { ConfigError } from './configError';

/** The result: a value, or the faults in its place. */
export type Tried<T> = { value?: T; faults: readonly string[] };

/** The result of `run`, or the faults that it throws as ConfigError; other errors pass. */
export const tried = <T>(run: () => T): Tried<T> => {
  try {
    return { value: run(), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { faults: error.faults };
  }
};
