/** Which profile applies, and the layer that it is. */
import { join } from 'node:path';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { ownOf } from '../../protocol/jsonrpc/json';
import type { ConfigDeps } from '../deps';
import { type ConfigError, notFound } from '../faults/configError';
import { isTable, type Layer, type Path, type Table, tableOf } from '../layer';
import { configFile, tomlLayer } from './fileLayer';
import type { Sources } from './sources';

/** The profile that a thread runs under. */
export type ProfileChoice = {
  name: string;
  where: string;
  /** The tool call named it, not the server's flags or the file. */
  byCall: boolean;
};

/** What names a profile: the flags, the call, and the merged settings. */
type ProfileSources = { deps: ConfigDeps; settings: ThreadSettings; sources: Sources };

/** Finds what names a profile. First match: the call's argument, the call's `config`, the flag `-p`, the key `profile`. Returns undefined if nothing does. */
export const chooseProfile = ({ deps, settings, sources }: ProfileSources): ProfileChoice | undefined => {
  if (settings.profile !== undefined) return { name: settings.profile, where: 'argument profile', byCall: true };
  const byCall = settings.config?.profile !== undefined;
  if (!byCall && deps.profile !== undefined) return { name: deps.profile, where: `-p ${deps.profile}`, byCall };
  const { profile } = sources.table;
  if (typeof profile !== 'string') return undefined;
  return { name: profile, where: sources.placeOf(['profile']).where(['profile']), byCall };
};

const PROFILE_FILE = /^(?<name>[\w-][\w.-]*)\.config\.toml$/;

/** The path of the file of a profile; undefined for a name that no such file can have. */
export const profileFile = (codexHome: string, name: string): string | undefined => {
  const file = `${name}.config.toml`;
  return PROFILE_FILE.test(file) ? join(codexHome, file) : undefined;
};

/**
 * The layer of the chosen profile, above all others: `NAME.config.toml` in the Codex home, else the table `[profiles.NAME]`. Under `-m`
 * its model applies only if the call named it: `-m` is the choice of whoever started the server, and a caller who names a profile
 * overrides it. Throws ConfigError if there is no such profile.
 * Source: codex 0.142.0, which reads the file of a profile; 0.28.0, which has the table.
 */
export const profileLayer = (deps: ConfigDeps, choice: ProfileChoice | undefined, sources: Sources): Layer => {
  if (choice === undefined) return [];
  const file = profileFile(deps.codexHome, choice.name);
  const own = file === undefined ? [] : tomlLayer(deps, file);
  const layer = own.length > 0 ? own : tableLayer(deps, choice, sources);
  const keepsModel = deps.model === undefined || choice.byCall;
  return layer.map((setting) => ({ ...setting, value: without(setting.value as Table, keepsModel) }));
};

/** A profile without the keys that name or define profiles, and without its model unless it is used. */
const without = ({ model, profile, profiles, ...rest }: Table, keepsModel: boolean): Table =>
  tableOf(rest, keepsModel && model !== undefined ? { model } : {});

const tableLayer = (deps: ConfigDeps, { name, where }: ProfileChoice, { table, placeOf }: Sources): Layer => {
  const profiles = isTable(table.profiles) ? table.profiles : tableOf();
  const value = ownOf(profiles, name);
  const inProfiles = (path: Path): Path => ['profiles', name, ...path];
  if (isTable(value)) {
    const { folder } = placeOf(inProfiles([]));
    return [{ path: [], value, folder, where: (path) => placeOf(inProfiles(path)).where(inProfiles(path)) }];
  }
  throw profileNotFound(deps, { name, where, tables: Object.keys(profiles) });
};

type AskedProfile = {
  name: string;
  /** The setting that names the profile. */
  where: string;
  /** The names of the profiles in `config.toml`. */
  tables: readonly string[];
};

/** The error for a profile that is neither a file nor a table; it names the known profiles. */
export const profileNotFound = (
  { codexHome, namesIn }: Pick<ConfigDeps, 'codexHome' | 'namesIn'>,
  { name, where, tables }: AskedProfile,
): ConfigError => {
  const files = namesIn(codexHome).flatMap((own) => PROFILE_FILE.exec(own)?.groups?.name ?? []);
  const known = [...new Set([...tables, ...files.sort()])];
  return notFound({ what: 'config profile', name, where, file: configFile(codexHome), known });
};
