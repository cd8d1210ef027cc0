/** Checks the files and folders that a call names: none may show secrets of the user, and no link in one may lead to another. */
import { dirname, resolve, sep } from 'node:path';
import { foldersUp } from '../../io/paths/relations';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { wordOf } from '../../protocol/jsonrpc/json';
import type { Config } from '../config';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { dotted } from '../faults/errorText';
import { INSTRUCTIONS_FILES } from '../layers/fileLayer';
import type { Leaf } from './callKeys';

type Deps = Pick<ConfigDeps, 'cwd' | 'realpath' | 'secretPlaces' | 'limits'>;

/**
 * Throws ConfigError for a `cwd` or a writable root in a place of secrets, which would be readable and writable in the thread's sandbox, and for
 * a file whose text the call could not read by a command: one outside of `cwd`, or a secret. Links are resolved.
 * @param leaves the values of `config` in the call
 */
export const limitFiles = (deps: Deps, settings: ThreadSettings, leaves: readonly Leaf[]): void => {
  const cwd = resolve(deps.cwd, settings.cwd ?? '');
  const roots = leaves.filter(isRoots).flatMap(({ value }) => [value].flat().map(wordOf));
  const isSecret = secretsOf(deps);
  const isOpened = (path: string) => isSecret(path) && !isInside(deps, deps.cwd, path);
  const opened = [cwd, ...roots.map((root) => resolve(cwd, root))].find(isOpened);
  if (opened !== undefined) {
    throw new ConfigError(
      `the call asks to work in ${opened}, a place of keys and passwords; name another folder, or start the server in it or with --allow-call-override`,
    );
  }
  if (settings.baseInstructions !== undefined) return; // no such file is read then
  for (const { path, value } of leaves) {
    const key = dotted(path);
    if (!isFileKey(key) || deps.limits?.allowCallConfig.includes(key)) continue;
    const file = resolve(cwd, wordOf(value));
    if (!isInside(deps, cwd, file) || (isSecret(file) && !isSecret(cwd))) throw refused(key, file, cwd);
  }
};

/** True for a key that names a file whose text goes to the model. */
export const isFileKey = (key: string): boolean => INSTRUCTIONS_FILES.some((name) => name === key);

const isRoots = ({ path: [table, key] }: Leaf): boolean =>
  table === 'sandbox_workspace_write' && key === 'writable_roots';

const refused = (key: string, file: string, cwd: string): ConfigError =>
  new ConfigError(
    `argument config, key ${key}: a call may name a file in its folder ${cwd} only, and no secret; ${file} is not such a file, and its text would go to the model; the server's flag --allow-call-config ${key} lets calls name any file`,
  );

const secretsOf =
  ({ realpath, secretPlaces }: Pick<Deps, 'realpath' | 'secretPlaces'>) =>
  (path: string): boolean => {
    const real = resolve(realpath(path));
    return secretPlaces().some((place) => leadsInto(place, real));
  };

/** True for the folder itself too. A link in the folder may lead out of it. */
export const isInside = ({ realpath }: Pick<ConfigDeps, 'realpath'>, folder: string, path: string): boolean =>
  leadsInto(resolve(realpath(folder)), resolve(realpath(path)));

/** The same for two paths without links: `relative` would resolve both each time, which made it the hottest code of the first turn. */
const leadsInto = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * The folders without links, by their paths; roots that are not there are left out. Throws ConfigError for a root that is reached by a link in another: a
 * command of an earlier thread could have put that link there.
 */
export const pinFolders = (
  { realpath, isDirectory }: Pick<ConfigDeps, 'realpath' | 'isDirectory'>,
  { cwd, sandboxMode, workspaceWrite }: Pick<Config, 'cwd' | 'sandboxMode' | 'workspaceWrite'>,
): Config['folders'] => {
  const roots = sandboxMode === 'workspace-write' ? workspaceWrite.writableRoots.filter(isDirectory) : [];
  const pinned = [...new Set([cwd, ...roots])].map((path) => ({ path, real: realpath(path) }));
  for (const { path, real } of pinned) {
    const above = foldersUp(dirname(path)).map(realpath);
    const through = pinned.find(
      (other) =>
        other.path !== path && !leadsInto(other.real, real) && above.some((folder) => leadsInto(other.real, folder)),
    );
    if (through !== undefined) throw new ConfigError(refusalOf(path, real, through.path));
  }
  return Object.fromEntries(pinned.map(({ path, real }) => [path, real]));
};

const refusalOf = (path: string, real: string, through: string): string =>
  `${path} leads to ${real} by a link in ${through}, which is writable too, so that a command could have made the link; if it is right, name ${real} instead`;
