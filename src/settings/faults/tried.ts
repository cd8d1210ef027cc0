/** Steps that may fail by a fault of the configuration. */
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

/** The results of all steps. Throws ConfigError with the faults of each step that fails. */
export const triedAll = <T>(runs: readonly (() => T)[]): T[] => {
  const results = runs.map((run) => tried(run));
  const faults = results.flatMap((result) => result.faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return results.map(({ value }) => value as T);
};
