/** All layers of a thread's settings, checked: defaults, file, flags, call, and the profile over them. */
import { resolve } from 'node:path';
import type { ThreadSettings } from '../protocol/codex/settings';
import type { Config, ProtectedPaths } from './config';
import type { ConfigDeps } from './deps';
import { dotted } from './faults/errorText';
import { tried } from './faults/tried';
import { getIn, isTable, type Layer, type Table, tableOf, toTable } from './layer';
import { builtIns } from './layers/builtIns';
import { callLayer } from './layers/callLayer';
import { fileLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { chooseProfile, type ProfileChoice, profileLayer } from './layers/profile';
import { projectLayers, repositoryFolders, trustOf } from './layers/projectLayer';
import { type Sources, toSources } from './layers/sources';
import { environmentIdOf, placeOfEnvironmentId } from './places/placeThread';
import { LOCAL } from './places/readEnvironment';
import { type AppliedProfile, permissionProfile } from './rules/permissionProfile';
import { hookFaults } from './rules/readRules';
import { check } from './schema/check';
import type { Checked } from './schema/schema';
import { unknownKeys } from './schema/unknownKeys';

/** The settings of a thread before names become paths and providers. */
export type Composed = {
  sources: Sources;
  checked: Checked;
  choice: ProfileChoice | undefined;
  /** The keys of the profile in use; empty without one. */
  profile: Table;
  /** The folders of the repository, from its root to that of the thread; empty if the operator trusts none of them. */
  projects: readonly string[];
  /** The writable roots that the user names in the file, a profile or a flag; absolute. */
  ownRoots: readonly string[];
  /** The machine and the folder of the thread. */
  place: Pick<Config, 'environmentId' | 'cwd'>;
  /** Parts that are not used as they are written. */
  warnings: string[];
  /** What the permission profile limits; undefined without one. */
  protectedPaths: ProtectedPaths | undefined;
  /** Limits that the native engine cannot keep. */
  unkept: readonly string[];
};

type ComposeInput = {
  /** The absolute folder of the thread in an environment; `place` returns what names the environment. */
  cwdOf: (environmentId: string, place: () => string) => string;
  /** The settings of the call; empty for those of the operator. */
  settings: ThreadSettings;
};

/**
 * Merges the layers and checks them, also profiles and providers that are not selected. A folder of another machine is not trusted: `projects` names folders
 * of this one. Throws ConfigError, which names every fault.
 * Source: Codex 0.28.0, CORE 2.5: a profile wins over the file, the flags and the `config` of a call.
 */
export const compose = (deps: ConfigDeps, { cwdOf, settings }: ComposeInput): Composed => {
  const defaults = builtIns(deps);
  const [file, flags] = [fileLayer(deps), flagLayer(deps)];
  const own = [file, flags];
  const call = (folder: string) => callLayer(settings.config ?? {}, folder);
  const base = toSources([defaults, ...own, call(deps.cwd)]);
  check(base);
  const choice = chooseProfile({ deps, settings, sources: base });
  const profile = profileLayer(deps, choice, base);
  const environmentId = environmentIdOf(deps, { ...base.table, ...toTable(profile) });
  const placeOfId = () => placeOfEnvironmentId(deps, toSources([defaults, ...own, call(deps.cwd), profile]));
  const cwd = cwdOf(environmentId, placeOfId);
  const place = { environmentId, cwd };
  const trust = environmentId === LOCAL ? trustOf(deps, cwd, own) : { layer: [], folders: [] };
  const projects = trust.folders.length > 0 ? repositoryFolders(deps, cwd) : [];
  const files = projectLayers(deps, trust.folders);
  const operator = toSources([defaults, ...own]);
  const { layer, ...limits } = limitsOf(deps, operator, { place, projects, others: [...files, call(cwd), profile] });
  const layers = [defaults, trust.layer, file, ...files, layer, flags, call(cwd), profile];
  const sources = toSources(layers);
  const warnings = [...new Set(warningsOf(layers, sources))];
  const checked = check(sources);
  const ownRoots = rootsOf(toSources([defaults, file, layer, flags, profile]));
  return { sources, checked, choice, profile: toTable(profile), projects, ownRoots, place, warnings, ...limits };
};

const ROOTS = ['sandbox_workspace_write', 'writable_roots'];

const rootsOf = ({ table, placeOf }: Sources): string[] => {
  const roots = getIn(table, ROOTS);
  return Array.isArray(roots) ? roots.map((root) => resolve(placeOf(ROOTS).folder, String(root))) : [];
};

const warningsOf = (layers: readonly Layer[], sources: Sources): string[] => [
  ...layers.flatMap((layer) => layer.flatMap((setting) => setting.warnings ?? [])),
  ...unknownKeys(sources),
  ...serverKeys(sources),
];

/** What limits a thread besides its settings. */
type Limits = Pick<Composed, 'protectedPaths' | 'unkept'> & { layer: Layer };

const NOTHING: Layer = [{ path: [], value: tableOf(), where: () => '', folder: '' }];

/** The layers of a project, a profile and a call are `others`. */
const limitsOf = (
  deps: ConfigDeps,
  operator: Sources,
  { place, projects, others }: Pick<Composed, 'place' | 'projects'> & { others: readonly Layer[] },
): Limits => {
  const { layer, protectedPaths, faults } = ofPermissions(deps, operator, place);
  const all = [operator, ...others.map((one) => toSources([NOTHING, one]))] as const;
  return { layer, protectedPaths, unkept: [...faults, ...ofOperator(others), ...hookFaults(deps, all, projects)] };
};

type Permissions = Partial<Pick<AppliedProfile, 'protectedPaths'>> & { layer: Layer; faults: readonly string[] };

/** The permission profile of the operator. Its files are those of this machine. */
const ofPermissions = (deps: ConfigDeps, operator: Sources, { environmentId, cwd }: Composed['place']): Permissions => {
  const place = { cwd: environmentId === LOCAL ? deps.realpath(cwd) : cwd, home: deps.env.HOME };
  const { value, faults } = tried(() => permissionProfile(operator, place));
  const protectedPaths = value?.protectedPaths;
  if (
    environmentId === LOCAL ||
    protectedPaths === undefined ||
    protectedPaths.denied.length + protectedPaths.readOnly.length === 0
  ) {
    return { layer: value?.layer ?? [], faults, ...(protectedPaths && { protectedPaths }) };
  }
  const where = operator.placeOf(['default_permissions']).where(['default_permissions']);
  return {
    layer: [],
    faults: [`${where}: default_permissions names files of this machine, and cannot be kept on another`],
  };
};

/** A project, a profile or a call that sets permissions could lift those of the operator. */
const ofOperator = (others: readonly Layer[]): string[] =>
  ['default_permissions', 'permissions']
    .filter((key) => others.some((layer) => toTable(layer)[key] !== undefined))
    .map((key) => `${key} counts in config.toml and by -c only, not in a project, a profile or a call; set it there`);

/** Keys of a server that is started, and keys of a server that is reached at a url. They have no effect in a table of the other kind. */
const OF_COMMAND = ['args', 'env', 'env_vars', 'cwd'] as const;
const OF_URL = ['bearer_token_env_var', 'http_headers', 'env_http_headers'] as const;

const TOKEN = 'no token is read from this file; bearer_token_env_var names the variable with it';

type Unused = { path: readonly string[]; why: string };

/** A line for each key without an effect, and for each table that names no server. A table with `enabled = false` is not checked. */
export const serverKeys = ({ table: { mcp_servers: servers }, placeOf }: Sources): string[] =>
  Object.entries(isTable(servers) ? servers : {})
    .flatMap(([name, table]) => (isTable(table) && table.enabled !== false ? unusedIn(name, table) : []))
    .map(({ path, why }) => `${placeOf(path).where(path)}: ${dotted(path)} ${why}`);

const unusedIn = (name: string, table: Table): Unused[] => {
  const own = (key: string): readonly string[] => ['mcp_servers', name, key];
  const unused = (keys: readonly string[], why: string): Unused[] =>
    keys.filter((key) => table[key] !== undefined).map((key) => ({ path: own(key), why: `has no effect: ${why}` }));
  return [
    ...kindOf(name, table).flatMap(({ keys, why }) => unused(keys, why)),
    ...unused(['bearer_token'], TOKEN),
  ].concat(
    table.command === undefined && table.url === undefined
      ? [{ path: ['mcp_servers', name], why: 'has neither a command nor a url, so there is no such server' }]
      : [],
  );
};

const kindOf = (name: string, { command, url }: Table): { keys: readonly string[]; why: string }[] => {
  if (command !== undefined && url !== undefined)
    return [{ keys: ['url', ...OF_URL], why: `the command of ${name} is used, as both are set; remove one of them` }];
  if (command !== undefined) return [{ keys: OF_URL, why: `${name} is started by its command, and has no url` }];
  return url === undefined ? [] : [{ keys: OF_COMMAND, why: `${name} is reached at its url, and has no command` }];
};
