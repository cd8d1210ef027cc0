/** Reads the executors that can be named: `environments.toml` of the Codex home, and `environments` of its `config.toml`. */
import { join } from 'node:path';
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { configFile, fileTable, readText } from '../layers/fileLayer';

/** The table of an environment as written, the file that has it, and its place in that file, from 0. */
export type EnvironmentTable = { table: JsonObject; file: string; index: number };

type Deps = Pick<ConfigDeps, 'codexHome' | 'readFile'>;

/** What `environments.toml` says about all environments. */
type EnvironmentsFile = {
  file: string;
  /** Whether threads may work on this machine. */
  includesLocal: boolean;
  /** The environment of threads if nothing else names one. */
  byDefault: string | undefined;
};

/** The path of `environments.toml`. */
export const environmentsFile = ({ codexHome }: Pick<Deps, 'codexHome'>): string =>
  join(codexHome, 'environments.toml');

/** What `environments.toml` says about all environments; without the file, as if it were empty. Throws ConfigError. Source: codex 0.142.0, EXEC.md 12. */
export const readEnvironments = (deps: Deps): EnvironmentsFile => {
  const file = environmentsFile(deps);
  const { include_local: includesLocal, default: byDefault } = fileTable(deps, file) ?? {};
  return {
    file,
    includesLocal: includesLocal !== false,
    byDefault: typeof byDefault === 'string' ? byDefault : undefined,
  };
};

/**
 * The environments; none if there are no files. Environments with keys of ours belong in `config.toml` if an installed Codex shares the home: it ignores them
 * there, and does not start with an `environments.toml` that has them. Throws ConfigError, also for an id that is in both.
 * Source: codex app-server 0.142.0 and 0.169.0.
 */
export const environmentTables = (deps: Deps): readonly EnvironmentTable[] => {
  const [file, own] = [environmentsFile(deps), configFile(deps.codexHome)];
  const tables = [
    ...tablesOf(fileTable(deps, file), file),
    ...tablesOf({ environments: fileTable(deps, own)?.environments }, own),
  ];
  checkIds(tables);
  return tables;
};

const tablesOf = (table: JsonObject | undefined, file: string): EnvironmentTable[] => {
  if (Array.isArray(table?.environments))
    return table.environments.filter(isObject).map((one, index) => ({ table: one, file, index }));
  if (table !== undefined && 'id' in table) {
    throw new ConfigError(`${file}: an environment begins with a line [[environments]]; put it before \`id\``);
  }
  return [];
};

const checkIds = (tables: readonly EnvironmentTable[]): void => {
  const twice = tables.find(({ table, file }, index) =>
    tables.slice(0, index).some((before) => before.table.id === table.id && before.file !== file),
  );
  if (twice === undefined) return;
  throw new ConfigError(
    `${twice.file}: environment \`${wordOf(twice.table.id)}\` is in environments.toml too; remove one of them`,
  );
};

const HEADER = /^\s*\[\[\s*environments\s*\]\]/;

/** The place of an environment, for error texts: its file, and the line of its `[[environments]]` if it has one. */
export const placeOfEnvironment = (deps: Pick<Deps, 'readFile'>, { file, index }: EnvironmentTable): string => {
  const lines = (readText(deps.readFile, file) ?? '').split('\n');
  const at = lines.flatMap((line, number) => (HEADER.test(line) ? [number + 1] : []))[index];
  return at === undefined ? file : `${file}:${at}`;
};
