/** Starts the program fast: it is compiled at build time, and V8 keeps the result in a file beside it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

const program = join(__dirname, 'main.cjs');
const cache = join(__dirname, 'main.cache');

/** The program in the wrapper that Node gives a module. A cache of another V8 is refused by V8 and does no harm. */
const compile = (cachedData?: Buffer): Script =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(program, 'latin1')}\n})`, {
    filename: program,
    cachedData,
  });

const readCache = (): Buffer | undefined => {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
};

const load = (script: Script): typeof import('./main') => {
  const module = { exports: {} as typeof import('./main') };
  script.runInThisContext()(module.exports, createRequire(program), module, program, __dirname);
  return module.exports;
};

/** Runs the program; `argv` is what stands behind its name. */
export const start = (argv: readonly string[]): void => load(compile(readCache())).main(argv);

/** Writes the cache, with all that a first session needed; part of the build. */
export const makeCache = async (): Promise<void> => {
  const script = compile();
  await load(script).runSampleSession();
  writeFileSync(cache, script.createCachedData());
};
