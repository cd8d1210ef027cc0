/**
 * Starts the program fast. Of its three scripts `turn` and `rest` are read while the start goes on, and run when something of them is first needed.
 * Node's loader compiles them, as it keeps the result for the next start (`compileCache.ts`).
 */
import { readFile, readFileSync } from 'node:fs';
import { createRequire, isBuiltin, Module } from 'node:module';
import { join } from 'node:path';
import { lazy } from '../../streams/lazy';
import { exitCode } from '../exitCode';
import { isProgramFault, programFault } from '../programFault';
import { useCompileCache } from './compileCache';

/** `main` exports the program, and its pieces by name; the others a function for each source or piece. */
type Main = typeof import('../main') & Record<string, unknown>;
type Later = { sources: Record<string, () => unknown> };

/** Each script exports a function, which takes what Node gives a module, but for `require`. */
type Script = (exports: object, require: (id: string) => unknown, module: { exports: object }) => void;

/** A module of Node's loader. `_compile` is what `require` calls with the text of a file; packages that load text rely on it. */
type Loaded = { exports: unknown; _compile: (text: string, path: string, format: 'commonjs') => void };

/** A hash of the program, put here by the build. Its scripts end with it: none of another build is taken, nor half a script. */
declare const BUILD: string;

const file = (name: string): string => join(__dirname, `${name}.cjs`);

/** What was read ahead, until it is compiled; '' after that. Changed in place. */
const texts = new Map<string, string>();

/** An update may replace the files at any time: from now on the program needs none of them. */
const readAhead = (): void => {
  for (const name of ['turn', 'rest']) {
    readFile(file(name), 'latin1', (error, text) => {
      if (!error && !texts.has(name)) texts.set(name, text);
    });
  }
};

/** Throws what programFault says of a script that is not whole. */
const load = (name: string): Script => {
  try {
    const ahead = texts.get(name) ?? '';
    const text = isOfBuild(ahead) ? ahead : readFileSync(file(name), 'latin1');
    if (!isOfBuild(text)) throw programFault();
    texts.set(name, '');
    const module = new Module(file(name)) as unknown as Loaded;
    module._compile(text, file(name), 'commonjs');
    return module.exports as Script;
  } catch (error) {
    throw programFault(error);
  }
};

const isOfBuild = (text: string): boolean => text.endsWith(`//${BUILD}\n`);

const run = (name: string, require: (id: string) => unknown): unknown => {
  const module = { exports: {} };
  load(name)(module.exports, require, module);
  return module.exports;
};

/** A package that is loaded late may belong to another version of the program: none is taken once this file has changed. */
const packagesOf = (fromNode: NodeJS.Require) => (id: string) => {
  if (!isBuiltin(id) && !isInPlace()) throw programFault();
  return fromNode(id);
};

const isInPlace = (): boolean => {
  try {
    return readFileSync(__filename, 'latin1').includes(BUILD);
  } catch (error) {
    throw programFault(error);
  }
};

const open = (): Main => {
  const fromNode = packagesOf(createRequire(file('main')));
  const require = (id: string): unknown => {
    const [script, name = ''] = id.split(':');
    if (script === 'turn') return turn().sources[name]?.();
    if (script === 'rest') return rest().sources[name]?.();
    return script === 'main' ? main()[name] : fromNode(id);
  };
  const main = lazy(() => run('main', require) as Main);
  const turn = lazy(() => run('turn', require) as Later);
  const rest = lazy(() => run('rest', require) as Later);
  return main();
};

/** Runs the program; `argv` is what follows its name. */
export const start = (argv: readonly string[]): void => {
  const problem = oldNodeText(process.version, process.execPath);
  if (problem !== undefined) {
    process.stderr.write(problem);
    process.exitCode = exitCode.failed;
    return;
  }
  useCompileCache(argv, BUILD);
  try {
    open().main(argv);
    readAhead();
  } catch (error) {
    if (!isProgramFault(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCode.failed);
  }
};

/** What to say under a Node before 20.19, the oldest that the specs run on. It names that Node, as a client may have another `PATH` than a terminal. */
export const oldNodeText = (version: string, path: string): string | undefined => {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return (
    `codex-rx needs Node 20.19 or newer; ${path} is ${version}.\n` +
    'Install a newer one, or name it by its path: it is the command of the entry in your MCP client.\n'
  );
};
