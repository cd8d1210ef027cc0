/** Owns the doubles of this room: a home folder, a disk and an environment out of plain objects. */

import { secretPaths } from '../../src/io/disk/secretsHere';
import type { ThreadSettings } from '../../src/protocol/codex/settings';
import type { Config } from '../../src/settings/config';
import type { ConfigDeps } from '../../src/settings/deps';
import { ConfigError } from '../../src/settings/faults/configError';
import { loadConfig } from '../../src/settings/loadConfig';

export const file = '/home/config.toml';

/** Deps over files given by absolute path; every folder exists whose name does not begin with `no`. */
export const depsOf = ({
  toml,
  files = {},
  ...rest
}: Partial<ConfigDeps> & { toml?: string; files?: Record<string, string> } = {}): ConfigDeps => {
  const deps = {
    codexHome: '/home',
    cwd: '/project',
    env: {},
    overrides: [],
    readFile: (path: string) => (path === file ? toml : files[path]),
    namesIn: (folder: string) =>
      Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
    isDirectory: (path: string) => !/\/no[^/]*$/.test(path),
    realpath: (path: string) => path,
    ...rest,
  };
  const { codexHome, env, isDirectory, readFile, realpath } = deps;
  const secretPlaces = () => secretPaths({ homes: [env.HOME ?? '/nobody'], codexHomes: [codexHome] }).map(realpath);
  return { secretPlaces, exists: (path) => isDirectory(path) || readFile(path) !== undefined, ...deps };
};

export type World = Parameters<typeof depsOf>[0];

export const loaded = (world: World, settings: ThreadSettings = {}): Config => loadConfig(depsOf(world))(settings);

/** The text of the ConfigError a load ends with. */
export const refusal = (world: World, settings: ThreadSettings = {}): string => {
  try {
    loaded(world, settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('a Config came out');
};
