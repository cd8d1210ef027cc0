/** The configuration as plain data: a profile, for an engine that reads the rest itself, `config.toml`, and which names all layers together use. */
import type { ThreadSettings } from '../protocol/codex/settings';
import { type JsonObject, toObject } from '../protocol/jsonrpc/json';
import { compose } from './compose';
import type { ConfigDeps } from './deps';
import { configFile, fileTable } from './layers/fileLayer';
import { profileFile, profileNotFound } from './layers/profile';
import { cwdIn } from './places/placeThread';

/**
 * Reads a profile: `NAME.config.toml` in the Codex home, else the table `[profiles.NAME]` of `config.toml`.
 * Throws ConfigError if there is neither, or the file cannot be read.
 * Source: codex 0.142.0, which reads the file of a profile; 0.28.0, which has the table.
 */
export const readProfile =
  (deps: Pick<ConfigDeps, 'codexHome' | 'readFile' | 'namesIn'>) =>
  (name: string): JsonObject => {
    const path = profileFile(deps.codexHome, name);
    const own = path === undefined ? undefined : fileTable(deps, path);
    if (own !== undefined) return own;
    const known = toObject(fileTable(deps, configFile(deps.codexHome))?.profiles);
    if (Object.hasOwn(known, name)) return toObject(known[name]);
    throw profileNotFound(deps, { name, where: 'profile', tables: Object.keys(known) });
  };

/** The file as plain data, which may contain secrets; empty if there is none. Throws ConfigError if it cannot be read. */
export const readSavedConfig = (deps: Pick<ConfigDeps, 'codexHome' | 'readFile'>): JsonObject =>
  fileTable(deps, configFile(deps.codexHome)) ?? {};

/** What has a name of its own in the configuration of a thread, whichever file, flag or setting brings it and whether or not it is in use. */
export type NamedTables = {
  /** Servers of models, by name. */
  providers: object;
  /** MCP servers, by name. */
  servers: object;
};

/** The tables that a table of the same name in `config` would be merged with. Throws ConfigError. */
export const readTables =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): NamedTables => {
    const { checked } = compose(deps, { cwdOf: cwdIn(deps, settings), settings });
    return { providers: checked.model_providers, servers: checked.mcp_servers };
  };
