/** The permission profile of the user, `default_permissions` and `[permissions]`: as settings of the sandbox, and what of it cannot be kept. */
import { join, normalize } from 'node:path';
import { ownOf } from '../../protocol/jsonrpc/json';
import { isWithin } from '../../streams/text/trim';
import type { ProtectedPaths } from '../config';
import { ConfigError } from '../faults/configError';
import { dotted, found } from '../faults/errorText';
import { triedAll } from '../faults/tried';
import { getIn, isTable, type Layer, merge, type Path, type Table, type Toml, tableOf } from '../layer';
import type { Sources } from '../layers/sources';

/** Where a profile applies. */
type ProfilePlace = {
  /** Of the thread. */
  cwd: string;
  /** Of the user. */
  home: string | undefined;
};

/** What a profile means here. */
export type AppliedProfile = {
  /** The settings of the sandbox, above those of config.toml. */
  layer: Layer;
  protectedPaths: ProtectedPaths;
};

const NO_PROTECTED_PATHS: ProtectedPaths = { denied: [], readOnly: [] };

/**
 * The profile in use; undefined if there is none. Throws ConfigError, which names what cannot be kept.
 * Source: Codex 0.171.0, in runs: the profile counts even if `sandbox_mode` is set too, the deepest path decides, a denied file ends all ways out of the
 * sandbox.
 */
export const permissionProfile = (sources: Sources, place: ProfilePlace): AppliedProfile | undefined => {
  const { table, placeOf } = sources;
  const name = table.default_permissions;
  if (typeof name !== 'string') return undefined;
  const { where, folder } = placeOf(['default_permissions']);
  const layerOf = (value: Table): Layer => [{ path: [], value, where: () => where(['default_permissions']), folder }];
  const own = ownOf(MODES, name);
  if (own !== undefined) return { layer: layerOf(tableOf({ sandbox_mode: own })), protectedPaths: NO_PROTECTED_PATHS };
  const { filesystem, workspace_roots, network } = resolved(sources, name);
  const at = (path: Path): Key => keyOf(sources, ['permissions', name, ...path]);
  const roots = pathsIn(workspace_roots).map(([path]) => path);
  const entries = entriesOf(filesystem, { ...place, roots, at });
  const parts = triedAll<Partial<AppliedProfile>>([
    () => ({ layer: layerOf(toSettings(entries, network, at)) }),
    () => ({ protectedPaths: toProtectedPaths(entries, place) }),
  ]);
  return Object.assign({}, ...parts) as AppliedProfile;
};

type Key = {
  path: Path;
  /** The error if it cannot be kept. @param why goes on from the name of the key */
  unkept: (why: string) => ConfigError;
};

const keyOf = ({ placeOf }: Sources, path: Path): Key => ({
  path,
  unkept: (why) => new ConfigError(`${placeOf(path).where(path)}: ${dotted(path)} ${why}; ${REMEDY}`),
});

const REMEDY = 'use --engine app-server, or change the profile';

/** The profiles of Codex itself. */
const MODES: Readonly<Record<string, string>> = {
  ':read-only': 'read-only',
  ':workspace': 'workspace-write',
  ':danger-full-access': 'danger-full-access',
};

const READ_ALL = tableOf({ ':root': 'read' });

/** What a profile may extend. `.git` and `.codex` are never written here anyway. */
const BASES: Readonly<Record<string, Table>> = {
  ':read-only': tableOf({ filesystem: READ_ALL }),
  ':workspace': tableOf({
    filesystem: tableOf(READ_ALL, {
      ':workspace_roots': tableOf({ '.': 'write' }),
      ':slash_tmp': 'write',
      ':tmpdir': 'write',
    }),
  }),
};

const MOST_PARENTS = 16;
const KEYS = ['description', 'extends', 'filesystem', 'workspace_roots', 'network'];

/** A profile over the profiles that it extends. */
const resolved = (sources: Sources, name: string, depth = 0): Table => {
  const path = ['permissions', name];
  const { unkept } = keyOf(sources, path);
  const base = ownOf(BASES, name);
  if (base !== undefined && depth > 0) return base;
  const own = getIn(sources.table, path);
  if (!isTable(own)) throw unkept('is named as a profile, and is not there');
  if (depth > MOST_PARENTS) throw unkept('extends itself');
  const unknown = Object.keys(own).filter((key) => !KEYS.includes(key));
  const faults = unknown.map((key) => keyOf(sources, [...path, key]).unkept('is not known here').message);
  if (faults.length > 0) throw new ConfigError(faults);
  const { extends: parent } = own;
  return typeof parent === 'string' ? (merge(resolved(sources, parent, depth + 1), own) as Table) : own;
};

type Access = 'read' | 'write' | 'deny';
type Entry = {
  /** Absolute, or `:slash_tmp`, `:tmpdir`. */
  path: string;
  access: Access;
  key: Key;
};

type Places = ProfilePlace & {
  /** Further folders of the project, as written. */
  roots: readonly string[];
  /** A key of the profile. */
  at: (path: Path) => Key;
};

const TEMPORARY = [':slash_tmp', ':tmpdir'];
const PROJECT = [':workspace_roots', ':project_roots'];
const GLOB = /[*?[\]{}]/;

/** All entries with absolute paths; what every program needs is readable anyway. */
const entriesOf = (table: Toml | undefined, places: Places): Entry[] => {
  const named = pathsIn(table).filter(([name]) => name !== 'glob_scan_max_depth' && name !== ':minimal');
  const entries = triedAll(
    named.map(
      ([name, value]) =>
        () =>
          entriesAt(places, name, value),
    ),
  ).flat();
  if (entries.some(({ path, access }) => path === '/' && access === 'read')) return entries;
  throw places.at(['filesystem']).unkept('does not read ":root": that only some files can be read cannot be kept');
};

const entriesAt = (places: Places, name: string, value: Toml): Entry[] => {
  const key = places.at(['filesystem', name]);
  return basesOf(places, name, key).flatMap((base) => {
    if (!isTable(value)) return [entryOf(base, value, key)];
    const subs = Object.entries(value).map(([sub, access]) => ({
      sub,
      access,
      key: places.at(['filesystem', name, sub]),
    }));
    return triedAll(
      subs.map(
        ({ sub, access, key }) =>
          () =>
            entryOf(below(base, sub, key), access, key),
      ),
    );
  });
};

const pathsIn = (table: Toml | undefined): [string, Toml][] =>
  isTable(table) ? Object.entries(table).filter(([, value]) => value !== false) : [];

const entryOf = (path: string, access: Toml, key: Key): Entry => {
  if (access === 'none') return { path, access: 'deny', key };
  if (access !== 'read' && access !== 'write' && access !== 'deny') {
    throw key.unkept(`is ${found(access, key.path)}, expected "read", "write" or "deny"`);
  }
  if (access !== 'read' && path === '/') throw key.unkept(`is "${access}", which cannot be kept`);
  if (access === 'deny' && TEMPORARY.includes(path)) throw key.unkept('cannot be denied');
  return { path, access, key };
};

const basesOf = ({ cwd, home, roots }: Places, name: string, key: Key): string[] => {
  if (name === ':root') return ['/'];
  if (TEMPORARY.includes(name)) return [name];
  if (PROJECT.includes(name)) return [cwd, ...roots.map((root) => absolute(home, root, key))];
  return [absolute(home, name, key)];
};

const absolute = (home: string | undefined, name: string, key: Key): string => {
  const path = home !== undefined && /^~(?:\/|$)/.test(name) ? join(home, name.slice(1)) : name;
  if (!path.startsWith('/')) throw key.unkept('is no absolute path');
  return below('/', path, key);
};

/** A subtree `a/**` is the folder `a`. */
const below = (base: string, sub: string, key: Key): string => {
  const plain = sub.replace(/\/\*\*$/, '');
  if (GLOB.test(plain)) throw key.unkept('is a pattern: only paths can be kept');
  if (plain.split('/').includes('..') || base.startsWith(':')) throw key.unkept('is no path below it');
  return normalize(join(base, plain)).replace(/(?<=.)\/$/, '');
};

const toSettings = (entries: readonly Entry[], network: Toml | undefined, at: Places['at']): Table => {
  const writable = entries.filter(({ access }) => access === 'write').map(({ path }) => path);
  const mode = writable.length === 0 ? 'read-only' : 'workspace-write';
  return tableOf({
    sandbox_mode: mode,
    sandbox_workspace_write: tableOf({
      writable_roots: writable.filter((path) => !TEMPORARY.includes(path)),
      network_access: opensNetwork(network, mode, at),
      exclude_slash_tmp: !writable.includes(':slash_tmp'),
      exclude_tmpdir_env_var: !writable.includes(':tmpdir'),
    }),
  });
};

const opensNetwork = (network: Toml | undefined, mode: string, at: Places['at']): boolean => {
  if (!isTable(network) || network.enabled !== true) return false;
  const other = Object.keys(network).find((key) => key !== 'enabled');
  if (other !== undefined) throw at(['network', other]).unkept('cannot be kept: hosts are not distinguished here');
  if (mode === 'read-only') throw at(['network', 'enabled']).unkept('cannot be kept where nothing may be written');
  return true;
};

/** `.git` and `.codex` of a project are protected in any case. */
const OWN = /\/\.(?:git|codex)$/;

/** The deepest path decides, so nothing may be opened in a path that is denied. */
const toProtectedPaths = (entries: readonly Entry[], { cwd }: ProfilePlace): ProtectedPaths => {
  const pathsOf = (access: Access) => entries.filter((one) => one.access === access).map(({ path }) => path);
  const [denied, written] = [pathsOf('deny'), pathsOf('write').filter((path) => path.startsWith('/'))];
  const opened = entries.filter(({ path, access }) => access !== 'deny' && denied.some((one) => isWithin(one, path)));
  const faults = opened.map(({ key }) => key.unkept('lies in a path that is denied').message);
  if (faults.length > 0) throw new ConfigError(faults);
  if (denied.some((path) => isWithin(path, cwd)))
    throw new ConfigError(`${cwd} may not be read; work in another folder`);
  const readOnly = pathsOf('read').filter((path) => /^\/./.test(path) && !OWN.test(path));
  const keepsCwd = written.length > 0 && !written.some((path) => isWithin(path, cwd));
  return { denied, readOnly: keepsCwd ? [...readOnly, cwd] : readOnly };
};
