/**
 * Starts the program fast. It is compiled at build time, and V8 keeps the result in a file beside it. Of its three scripts `turn` and `rest` are read
 * while the start goes on, and run when something of them is first needed. Own code: the compile cache of `node:module` is there from Node 22.1 on only.
 */
import { readFile, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { lazy } from '../../lazy';
import { exitCode } from '../exitCode';
import { lowerOtherThreads } from './lowerOtherThreads';
import { oldNodeText } from './oldNodeText';
import { isProgramFault, programFault } from './programFault';

/** `main` exports the program, and its pieces by name; the others a function for each source or piece. */
type Main = typeof import('../main') & Record<string, unknown>;
type Later = { sources: Record<string, () => unknown> };
type Wrapped = (
  exports: object,
  require: (id: string) => unknown,
  module: object,
  file: string,
  folder: string,
) => void;

/** A hash of the program, put here by the build. Its scripts end with it: none of another build is taken, nor half a script. */
declare const BUILD: string;

const file = (name: string, kind: string): string => join(__dirname, `${name}.${kind}`);

/**
 * Only the Node that made a cache may read it. V8 refuses the cache of another V8, but Node 20.19 and 20.20 have the same one built in
 * two ways: it takes the cache of the other and crashes. It also takes that of another script of the same length.
 */
const cacheFile = (name: string): string =>
  file(name, `${BUILD}.${process.version}-${process.platform}-${process.arch}.cache`);

/** What was read ahead, until it is compiled; '' after that. Changed in place. */
const texts = new Map<string, string>();

/** An update may replace the files at any time: from now on the program needs none of them. */
const readAhead = (): void => {
  for (const name of ['turn', 'rest']) {
    readFile(file(name, 'cjs'), 'latin1', (error, text) => {
      if (!error && !texts.has(name)) texts.set(name, text);
    });
  }
};

/** The build has put the wrapper that Node gives a module around each script. Throws what programFault says of a script that is not whole. */
const compile = (name: string, cachedData?: Buffer): Script => {
  try {
    const ahead = texts.get(name) ?? '';
    const text = isOfBuild(ahead) ? ahead : readFileSync(file(name, 'cjs'), 'latin1');
    if (!isOfBuild(text)) throw programFault();
    texts.set(name, '');
    return new Script(text, { filename: file(name, 'cjs'), cachedData });
  } catch (error) {
    throw programFault(error);
  }
};

const isOfBuild = (text: string): boolean => text.endsWith(`//${BUILD}\n`);

const readCache = (name: string): Buffer | undefined => {
  try {
    return readFileSync(cacheFile(name));
  } catch {
    return undefined;
  }
};

const run = (name: string, script: Script, require: (id: string) => unknown): unknown => {
  const module = { exports: {} };
  (script.runInThisContext() as Wrapped)(module.exports, require, module, file(name, 'cjs'), __dirname);
  return module.exports;
};

/** A package that is loaded late may be that of another version of the program: none is taken once this file is not the same. */
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

const open = (scriptOf: (name: string) => Script): Main => {
  const fromNode = packagesOf(createRequire(file('main', 'cjs')));
  const require = (id: string): unknown => {
    const [script, name = ''] = id.split(':');
    if (script === 'turn') return turn().sources[name]?.();
    if (script === 'rest') return rest().sources[name]?.();
    return script === 'main' ? main()[name] : fromNode(id);
  };
  const main = lazy(() => run('main', scriptOf('main'), require) as Main);
  const turn = lazy(() => run('turn', scriptOf('turn'), require) as Later);
  const rest = lazy(() => run('rest', scriptOf('rest'), require) as Later);
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
  lowerOtherThreads();
  try {
    open((name) => compile(name, readCache(name))).main(argv);
    readAhead();
  } catch (error) {
    if (!isProgramFault(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCode.failed);
  }
};

/** Writes the caches, with all that a first session needed; part of the build. */
export const makeCaches = async (): Promise<void> => {
  const scripts = new Map<string, Script>();
  const scriptOf = (name: string): Script => {
    const script = compile(name);
    scripts.set(name, script);
    return script;
  };
  await open(scriptOf).runSampleSession();
  for (const [name, script] of scripts) writeFileSync(cacheFile(name), script.createCachedData());
};
