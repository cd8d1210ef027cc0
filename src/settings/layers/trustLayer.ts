/** What a folder that the operator trusts, or does not, sets as defaults. */
import { dirname, join } from 'node:path';
import type { ConfigDeps } from '../deps';
import { getIn, type Layer, type Toml, tableOf } from '../layer';
import { toSources } from './sources';

/** Source: Codex 0.142.0, defaults of a folder with a trust level. */
const DEFAULTS: Readonly<Record<string, Toml>> = {
  trusted: tableOf({ approval_policy: 'on-request', sandbox_mode: 'workspace-write' }),
  untrusted: tableOf({ approval_policy: 'untrusted' }),
};

/**
 * The layer of `projects."FOLDER".trust_level` for the folder of a thread, or for the root of its repository: just above the built-in
 * defaults. A call has no say in it.
 * @param own the layers of the operator: the file and the flags
 */
export const trustLayer = (deps: ConfigDeps, cwd: string, own: readonly Layer[]): Layer => {
  const { table, placeOf } = toSources([[{ path: [], value: tableOf(), where: () => '', folder: cwd }], ...own]);
  const roots = [cwd, deps.realpath(cwd)].flatMap((folder) => [folder, repositoryOf(deps, folder)]);
  for (const root of roots) {
    const path = ['projects', root, 'trust_level'];
    const level = getIn(table, path);
    const value = typeof level === 'string' && Object.hasOwn(DEFAULTS, level) ? DEFAULTS[level] : undefined;
    if (value !== undefined) return [{ path: [], value, where: () => placeOf(path).where(path), folder: cwd }];
  }
  return [];
};

/** The nearest folder with a `.git`, or the folder itself. */
const repositoryOf = ({ isDirectory }: Pick<ConfigDeps, 'isDirectory'>, folder: string): string => {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (isDirectory(join(at, '.git'))) return at;
  return folder;
};
