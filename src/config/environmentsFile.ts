/** Reads `environments.toml` of the Codex home: the executors that can be named. */
import { join } from 'node:path';
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import { ConfigError } from './configError';
import type { ConfigDeps } from './deps';
import { fileTable } from './fileLayer';

/**
 * `tables`: one for each environment, as written. `includesLocal`: whether threads may work on this machine. `byDefault`: the environment of threads
 * for which nothing else names one.
 */
export type EnvironmentsFile = {
  file: string;
  tables: readonly JsonObject[];
  includesLocal: boolean;
  byDefault: string | undefined;
};

/** The file; as if it were empty where there is none. Throws ConfigError. Source: codex 0.142.0, EXEC.md 12. */
export const readEnvironments = (deps: Pick<ConfigDeps, 'codexHome' | 'readFile'>): EnvironmentsFile => {
  const file = join(deps.codexHome, 'environments.toml');
  const table = fileTable(deps, file);
  return {
    file,
    tables: tablesOf(table, file),
    includesLocal: table?.include_local !== false,
    byDefault: typeof table?.default === 'string' ? table.default : undefined,
  };
};

const tablesOf = (table: JsonObject | undefined, file: string): JsonObject[] => {
  if (Array.isArray(table?.environments)) return table.environments.filter(isObject);
  if (table !== undefined && 'id' in table) {
    throw new ConfigError(`${file}: an environment begins with a line [[environments]]; put it before \`id\``);
  }
  return [];
};
