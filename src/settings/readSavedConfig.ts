/** `config.toml` as its user saved it, for clients that show it. */
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { ConfigDeps } from './deps';
import { configFile, fileTable } from './layers/fileLayer';

/** The file as plain data, empty where there is none; it may hold secrets. Throws ConfigError where it cannot be read. */
export const readSavedConfig = (deps: Pick<ConfigDeps, 'codexHome' | 'readFile'>): JsonObject =>
  fileTable(deps, configFile(deps.codexHome)) ?? {};
