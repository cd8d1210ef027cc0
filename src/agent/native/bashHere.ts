/** The grammar of bash on this machine: its files, and what reads commands by it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Log } from '../../protocol/log';
import { memoize } from '../../streams/lazy';
import { bashReaders, grammarModule } from '../safety/bashParser';
import { decideByRules } from '../safety/commandRules';
import { parseCommand } from '../safety/parseCommand';
import { readTrust } from '../safety/readTrust';

const grammarOf = (dist: string) => ({
  runtime: join(dist, 'web-tree-sitter.wasm'),
  bash: join(dist, 'tree-sitter-bash.wasm'),
});

/** Kept from when the engine is made ready: an update of the program may replace them before the first script. */
const readOnce = memoize((path) => readFile(path));

/** Loads the parser, and begins to read the grammar. A failure is reported to the script that needs it. */
export const readyGrammar = (dist: string): void => {
  for (const path of Object.values(grammarOf(dist))) readOnce(path).catch(() => {});
  grammarModule();
};

/** What reads commands by the grammar of bash, which is compiled once. */
export const bashHere = (dist: string, log: Log) => {
  const readers = bashReaders({
    wasm: grammarOf(dist),
    readFile: (path) => readOnce(path).catch(() => readFile(path)),
    log,
    compiling: compiledOnce(),
  });
  return {
    readTrust: readTrust(readers),
    decideByRules: decideByRules(readers),
    parseCommand: parseCommand(readers),
    wordsIn: readers.wordsIn,
  };
};

/**
 * Runs a function that loads a module: its code is compiled quickly, and hot code is not compiled again. That would take V8 of Node 20 and 22 a second of
 * processor time for the lexer of the grammar, in one piece, and the process could not end before.
 * Resolves and rejects as the load does.
 */
export const compiledOnce =
  ({ setFlag }: { setFlag: (flag: string) => void } = { setFlag: setFlagsFromString }) =>
  async <T>(load: () => Promise<T>): Promise<T> => {
    setFlag('--liftoff-only');
    try {
      return await load();
    } finally {
      setFlag('--no-liftoff-only');
    }
  };
