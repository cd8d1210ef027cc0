/** Finds out once, for a call, where the folders of its thread lead. */
import { dirname } from 'node:path';
import type { Config } from '../config';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { leadsInto } from './limitFiles';

/**
 * The folders without links, by their paths; roots that are not there are left out. Throws ConfigError for one that is reached by a link in another: a
 * command of an earlier thread could have put that link there.
 */
export const pinFolders = (
  { realpath, isDirectory }: Pick<ConfigDeps, 'realpath' | 'isDirectory'>,
  { cwd, sandboxMode, workspaceWrite }: Pick<Config, 'cwd' | 'sandboxMode' | 'workspaceWrite'>,
): Config['folders'] => {
  const roots = sandboxMode === 'workspace-write' ? workspaceWrite.writableRoots.filter(isDirectory) : [];
  const pinned = [...new Set([cwd, ...roots])].map((path) => ({ path, real: realpath(path) }));
  for (const { path, real } of pinned) {
    const above = foldersAbove(path).map(realpath);
    const through = pinned.find(
      (other) =>
        other.path !== path && !leadsInto(other.real, real) && above.some((folder) => leadsInto(other.real, folder)),
    );
    if (through !== undefined) throw new ConfigError(refusalOf(path, real, through.path));
  }
  return Object.fromEntries(pinned.map(({ path, real }) => [path, real]));
};

const foldersAbove = (path: string): string[] => {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
};

const refusalOf = (path: string, real: string, through: string): string =>
  `${path} leads to ${real} by a link in ${through}, which is writable too, so that a command could have made the link; if it is right, name ${real} instead`;
