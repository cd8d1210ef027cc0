/** The facts of this process that the wiring needs. */
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { version } from '../../package.json';
import { realPathOf } from '../io/paths/look';
import type { ProcessInfo } from '../io/serverProcess/serverProcess';
import { lazy } from '../streams/lazy';

const system = lazy(() => require('node:os') as typeof import('node:os'));

/** What to do without a home folder. */
const HOMELESS =
  'This user has no home folder: HOME and CODEX_HOME are not set, and the system knows none; set HOME, or set CODEX_HOME to a folder for the configuration';

/**
 * Throws UsageError if the user has no home folder.
 * @param cd the working folder, whose links are resolved now; default: the folder in which the process was started, which the system names without links
 */
export const thisProcess = (cd?: string): ProcessInfo => {
  const { execPath, platform, arch } = process;
  const env = variablesOf(process);
  const folder = startFolder(process);
  const home = homeHere();
  const systemHome = homeOf({ env: {}, platform, fromSystem });
  const codexHome = codexHomeOf(env, { home, folder });
  if (codexHome === undefined) throw new UsageError(HOMELESS);
  return {
    env,
    cwd: cd === undefined ? folder : (realPathOf(resolve(folder, cd)) ?? resolve(folder, cd)),
    ...(home !== undefined && { home }),
    ...(systemHome !== undefined && { systemHome }),
    codexHome,
    dist: __dirname,
    node: execPath,
    modules: {
      loaded: () => [...Object.keys(requireIn(__dirname).cache), ...startedBy(process, folder)],
      foldersFor: (at) => requireIn(at).resolve.paths('any') ?? [],
    },
    platform,
    arch,
    version,
  };
};

const fromSystem = () => system().userInfo().homedir;

/** The home folder of the user, absolute; undefined if there is none. */
export const homeHere = (): string | undefined =>
  homeOf({ env: variablesOf(process), platform: process.platform, fromSystem });

/** As a script in this folder has it. */
const requireIn = (folder: string): NodeJS.Require => createRequire(join(folder, 'index.js'));

/** The paths by which Node and its script may have been named. */
const startedBy = ({ argv, argv0, env }: Pick<NodeJS.Process, 'argv' | 'argv0' | 'env'>, folder: string): string[] => {
  const folders = argv0.includes('/') ? [''] : (env.PATH ?? '').split(delimiter);
  return [...argv.slice(1, 2), ...folders.map((one) => resolve(folder, one, argv0))];
};

/** Its message names cause and remedy for a person; the process ends with it and exit code 2, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The variables of a process; on Windows in capital letters, so that `PATH` is found in a copy of `process.env`, too. */
export const variablesOf = ({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>): NodeJS.ProcessEnv =>
  platform === 'win32'
    ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]))
    : env;

type HomeDeps = {
  /** The variables of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** As Node names it. */
  platform: string;
  /** The home that the system has for the user; may throw if it has none. */
  fromSystem: () => string;
};

/**
 * The home folder by HOME, else as the system knows it; undefined if the user has none. An empty or relative HOME counts as unset: it would make the
 * folder of a checkout the home, and let the checkout name programs to start.
 */
export const homeOf = ({ env, platform, fromSystem }: HomeDeps): string | undefined => {
  const named = [env.HOME, platform === 'win32' ? env.USERPROFILE : undefined].find(isHome);
  if (named !== undefined) return named;
  try {
    return [fromSystem()].find(isHome);
  } catch {
    return undefined; // the user is not in passwd
  }
};

const isHome = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);

/** The folder with the configuration and the threads of Codex: CODEX_HOME, unless it is empty, else `.codex` in the home. Undefined if there is neither. */
export const codexHomeOf = (
  { CODEX_HOME }: HomeDeps['env'],
  { home, folder }: { home: string | undefined; folder: string },
): string | undefined => {
  if (CODEX_HOME) return resolve(folder, CODEX_HOME);
  return home === undefined ? undefined : join(home, '.codex');
};

/** The working folder; if it was deleted, the path that the shell knew it by, else the root: what needs the folder itself fails with that path. */
export const startFolder = ({ cwd, env }: Pick<NodeJS.Process, 'cwd' | 'env'>): string => {
  try {
    return cwd();
  } catch {
    return env.PWD && isAbsolute(env.PWD) ? env.PWD : '/';
  }
};
