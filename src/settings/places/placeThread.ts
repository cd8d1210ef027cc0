/** Where a thread works: on which machine, and in which folder there. */
import { posix, resolve } from 'node:path';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { reasonOf } from '../../streams/text/reasons';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { lineOf } from '../faults/tomlFaults';
import type { Table } from '../layer';
import { readText } from '../layers/fileLayer';
import type { Sources } from '../layers/sources';
import { environmentsFile, environmentTables, placeOfEnvironment, readEnvironments } from './environmentsFile';
import { LOCAL, readEnvironment } from './readEnvironment';

/** The environment that merged settings name, else the default of `environments.toml`, else this machine. Throws ConfigError. */
export const environmentIdOf = (deps: ConfigDeps, { environment_id: named }: Table): string => {
  if (typeof named === 'string') return named;
  const { file, includesLocal, byDefault = LOCAL } = readEnvironments(deps);
  if (byDefault !== LOCAL || includesLocal) return byDefault;
  throw new ConfigError(`${file}: include_local is false, and nothing names another environment; set environment_id`);
};

/** Where the environment of a thread is named, for error texts: a setting, or `default` in `environments.toml`. */
export const placeOfEnvironmentId = (deps: ConfigDeps, { table, placeOf }: Sources): string => {
  const path = ['environment_id'];
  if (typeof table.environment_id === 'string') return placeOf(path).where(path);
  const file = environmentsFile(deps);
  const line = lineOf(readText(deps.readFile, file) ?? '')(['default']);
  return line === undefined ? file : `${file}:${line}`;
};

/**
 * The folder of a thread. On this machine the argument `cwd` is relative to the folder of the server and must be there. Elsewhere it is relative to
 * `default_cwd` of the environment; without it the argument stays as it is, or '': then it is relative to the folder of the executor, which reports it when
 * the thread begins. Throws ConfigError.
 */
export const cwdIn =
  (deps: ConfigDeps, { cwd: asked = '' }: Pick<ThreadSettings, 'cwd'>) =>
  (environmentId: string, place?: () => string): string => {
    if (environmentId === LOCAL) return resolveCwd(deps)(asked === '' ? undefined : asked);
    readEnvironment(deps)(environmentId, place);
    const base = defaultCwdOf(deps, environmentId);
    return base === undefined ? asked : posix.resolve(base, asked);
  };

/** The same for an engine with a folder of its own; undefined: that folder. Throws ConfigError. */
export const folderIn = (deps: ConfigDeps, environmentId: string, cwd: string | undefined): string | undefined =>
  cwdIn(deps, { cwd })(environmentId) || undefined;

/** The dependencies for checking a call whose thread works on another machine: paths of that one, whose links and secrets are not known here. */
export const depsAt = (deps: ConfigDeps, environmentId: string): ConfigDeps =>
  environmentId === LOCAL
    ? deps
    : { ...deps, cwd: defaultCwdOf(deps, environmentId) ?? NOWHERE, realpath: (path) => path, secretPlaces: () => [] };

/** A path that no folder is in: a locked server has no folder for threads elsewhere if the environment has no default. */
const NOWHERE = '/\0';

/** The folder of threads of an environment: `default_cwd`, a key that Codex does not have. Throws ConfigError if it is not absolute. */
export const defaultCwdOf = (deps: ConfigDeps, environmentId: string): string | undefined => {
  const found = environmentTables(deps).find(({ table }) => table.id === environmentId);
  const folder = found?.table.default_cwd;
  if (found === undefined || folder === undefined) return undefined;
  if (typeof folder === 'string' && folder.startsWith('/')) return posix.normalize(folder);
  throw new ConfigError(
    `${placeOfEnvironment(deps, found)}: default_cwd of \`${environmentId}\` must be an absolute path of that machine`,
  );
};

/** The folder of an environment that threads may not leave, links resolved there; undefined without `--lock`. Throws ConfigError. */
export const lockedFolderOf = (deps: ConfigDeps, environmentId: string): string | undefined => {
  const { lock = false, allowCallOverride = false } = deps.limits ?? {};
  return lock && !allowCallOverride ? defaultCwdOf(deps, environmentId) : undefined;
};

/** The folder of the server had no links when the server started; on Windows the system writes some folders in several ways. */
const keepServerFolder = ({ cwd, realpath }: Pick<ConfigDeps, 'cwd' | 'realpath'>): void => {
  const real = realpath(cwd);
  if (real === cwd || !cwd.startsWith('/')) return;
  throw new ConfigError(
    `the server's working folder ${cwd} has become a link since the server started, and leads to ${real}; put the folder back, or start the server again in the right folder`,
  );
};

const problemWith = (isDirectory: ConfigDeps['isDirectory'], path: string): string | undefined => {
  try {
    return isDirectory(path) ? undefined : 'is not an existing folder';
  } catch (error) {
    return `cannot be examined: ${reasonOf(error)}`;
  }
};

/**
 * The absolute working folder of a thread: the argument `cwd`, relative to the server's own folder.
 * Throws ConfigError if it is not an existing folder.
 * Source: Codex 0.28.0, argument `cwd`; there a missing folder is accepted and every command fails later, a defect.
 */
export const resolveCwd =
  (deps: Pick<ConfigDeps, 'cwd' | 'isDirectory' | 'realpath'>) =>
  (asked?: string): string => {
    const { cwd, isDirectory } = deps;
    keepServerFolder(deps);
    const path = resolve(cwd, asked ?? '');
    const problem = problemWith(isDirectory, path);
    if (problem === undefined) return path;
    throw new ConfigError(
      asked === undefined
        ? `the server's working folder: "${path}" ${problem}; create it, or start the server in another folder`
        : `argument cwd: "${path}" ${problem}; create it, or name another folder, in which a stored thread goes on too`,
    );
  };
