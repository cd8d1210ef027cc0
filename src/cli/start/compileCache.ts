/** Where Node keeps the compiled code of the program, so that later starts are faster: `module.enableCompileCache` is there from Node 22.1 on. */
import { mkdirSync, readdirSync, rm, type Stats } from 'node:fs';
import * as node from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { ownCache } from '../../io/disk/ownCache';
import { factsOrThrow, linkFactsAt, linkFactsOrThrow, realPathOf } from '../../io/paths/look';

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

/**
 * Lets Node keep compiled code, for the server alone: Node keeps what the first process compiled, and another command needs other code.
 * Without a folder the program starts as well, only slower.
 */
export const useCompileCache = (argv: readonly string[], build: string): void => {
  if (enableCompileCache === undefined || !isServer(argv)) return;
  const { env } = process;
  const folder = cacheFolder({ env, cwd: process.cwd, uid: process.getuid?.(), build });
  if (folder === undefined) return;
  enableCompileCache(folder);
  setTimeout(() => flushCompileCache?.(), FLUSH_MS).unref();
};

/** Whether a command line starts the server, and does not only ask for its help or version. */
const isServer = ([first = 'mcp-server', ...others]: readonly string[]): boolean =>
  (first === 'mcp-server' || first.startsWith('-')) &&
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
