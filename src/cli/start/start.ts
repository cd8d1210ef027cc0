/**
 * Starts the program fast. Of its scripts all but `main` are read while the start goes on, and run when something of them is first needed.
 * Node's loader compiles them, and keeps the compiled code for the next start: `module.enableCompileCache` is there from Node 22.1 on.
 */
import { mkdirSync, readdirSync, readFile, readFileSync, rm, type Stats } from 'node:fs';
import * as node from 'node:module';
import { createRequire, isBuiltin, Module } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { ownCache } from '../../io/disk/ownCache';
import { factsOrThrow, linkFactsAt, linkFactsOrThrow, realPathOf } from '../../io/paths/look';
import { lazy, memoize } from '../../streams/lazy';
import { exitCode } from '../exitCode';
import { isProgramFault, programFault } from '../programFault';

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

/** The scripts that are loaded later, in the order in which a server needs them. */
const LATER = ['line', 'checks', 'turn', 'commands', 'servers', 'methods', 'more', 'rest'];

/** What was read ahead, until it is compiled; '' after that. Changed in place. */
const texts = new Map<string, string>();

/** An update may replace the files at any time: from now on the program needs none of them. */
const readAhead = (): void => {
  for (const name of LATER) {
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
    const [script = '', name = ''] = id.split(':');
    if (script === 'main') return main()[name];
    return LATER.includes(script) ? later(script).sources[name]?.() : fromNode(id);
  };
  const main = lazy(() => run('main', require) as Main);
  const later = memoize((script) => run(script, require) as Later);
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

/** What the folder depends on. */
export type CachePlace = {
  env: Readonly<Record<string, string | undefined>>;
  /** The working folder of the process; throws if it has been removed. */
  cwd: () => string;
  /** The user; undefined on a system if a file does not say whose it is. */
  uid: number | undefined;
  /** Names the program: another build has a folder of its own. */
  build: string;
};

/** Neither Node 20 nor its types have these functions. */
type CompileCache = { enableCompileCache?: (folder: string) => void; flushCompileCache?: () => void };
const { enableCompileCache, flushCompileCache } = node as CompileCache;

const OTHERS_WRITE = 0o022;

/** How many folders of other builds stay: versions that are used in turn. */
const MAX_OTHERS = 3;

/** V8 discards code that has not run for a while: at the end of a long process the code of its start would be missing. */
const FLUSH_MS = 10_000;

/** Lets Node keep compiled code, for the servers alone. Without a folder the program starts as well, only slower. */
const useCompileCache = (argv: readonly string[], build: string): void => {
  if (enableCompileCache === undefined || !isServer(argv)) return;
  const { env } = process;
  const folder = cacheFolder({ env, cwd: process.cwd, uid: process.getuid?.(), build });
  if (folder === undefined) return;
  enableCompileCache(folder);
  setTimeout(() => flushCompileCache?.(), FLUSH_MS).unref();
};

/** Whether a command line starts a server that a client waits for, and does not only ask for its help or version. */
const isServer = ([first = 'mcp-server', ...others]: readonly string[]): boolean =>
  (first === 'mcp-server' || first === 'acp' || first.startsWith('-')) &&
  ![first, ...others].some((word) => /^-(?:h|-help|-version)$/.test(word));

/**
 * The folder for the compiled code of this build, which is made if it is missing; undefined if there can be none. What lies in it will run. So it
 * is the user's own (0700), no link, and neither in the workspace nor in a folder for temporary files. If it is in another writable folder of a sandbox, it is
 * read-only there.
 */
export const cacheFolder = ({ env, cwd, uid, build }: CachePlace): string | undefined => {
  try {
    const top = ownCache(env);
    if (top === undefined || uid === undefined || isOpen(top, env, cwd())) return undefined;
    const folder = join(top, build);
    const isMade = [dirname(top), top, folder].map((path) => makeOwn(path, uid)).at(-1);
    if (isMade) removeOthers(top, build);
    return folder;
  } catch {
    return undefined;
  }
};

/** True in the workspace, and in a folder for temporary files that does not hold the user's home as well. */
const isOpen = (path: string, { TMPDIR = '/tmp', HOME = '/' }: CachePlace['env'], cwd: string): boolean => {
  const home = realPathOf(HOME) ?? '/';
  const temporary = ['/tmp', TMPDIR].filter((folder) => !isInside(folder, home));
  return [cwd, ...temporary].some((folder) => isInside(folder, path));
};

const isInside = (folder: string, path: string): boolean => {
  const real = realPathOf(folder);
  if (real === undefined) return false;
  const way = relative(real, path);
  return !isAbsolute(way) && !/^\.\.(?:$|[\\/])/.test(way);
};

/** Makes the folder if it is missing, and returns true then. Throws if another user can change what is in it, or it is a link. */
const makeOwn = (path: string, uid: number): boolean => {
  const found = linkFactsAt(path);
  if (found === undefined) {
    checkOwn(factsOrThrow(dirname(path)), uid);
    mkdirSync(path, { mode: 0o700 });
  }
  checkOwn(found ?? linkFactsOrThrow(path), uid);
  return found === undefined;
};

const checkOwn = (facts: Stats, uid: number): void => {
  const isOwn = facts.isDirectory() && facts.uid === uid && (facts.mode & OTHERS_WRITE) === 0;
  if (!isOwn) throw new Error('not a folder of this user alone');
};

/** Removes the folders of other builds, but for the newest. */
const removeOthers = (top: string, build: string): void => {
  const others = readdirSync(top)
    .filter((name) => name !== build)
    .map((name) => ({ path: join(top, name), at: linkFactsAt(join(top, name))?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const { path } of others.slice(MAX_OTHERS)) rm(path, { recursive: true, force: true }, () => {});
};
