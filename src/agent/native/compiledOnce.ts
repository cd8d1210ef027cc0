/** Compiles WebAssembly without a second compilation in the background. */
import { setFlagsFromString } from 'node:v8';

/** @param setFlag sets a flag of V8 */
export type CompiledOnceDeps = { setFlag: (flag: string) => void };

/**
 * Runs what loads a module: its code is compiled quickly, and hot code is not compiled again. That would take V8 of Node 20 and 22 a second of
 * processor time for the lexer of the grammar, in one piece, and the process could not end before.
 * Resolves and rejects as the load does.
 */
export const compiledOnce =
  ({ setFlag }: CompiledOnceDeps = { setFlag: setFlagsFromString }) =>
  async <T>(load: () => Promise<T>): Promise<T> => {
    setFlag('--liftoff-only');
    try {
      return await load();
    } finally {
      setFlag('--no-liftoff-only');
    }
  };
