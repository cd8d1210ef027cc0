/** Where processes run: on this machine, or through an exec-server that is configured. */
import { join } from 'node:path';
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import { ConfigError } from './configError';
import type { ConfigDeps } from './deps';
import { fileTable } from './fileLayer';
import { notFound } from './notFound';

/** This machine, an exec-server at an address, or a command that serves as one on its standard streams. */
export type Environment =
  | { kind: 'local' }
  | { kind: 'url'; url: string }
  | { kind: 'command'; argv: string[]; env: Record<string, string>; cwd?: string };

const LOCAL = 'local';
/** The environment whose address is in CODEX_EXEC_SERVER_URL. */
const REMOTE = 'remote';

/**
 * Finds an environment by its id: `local`, `remote` where CODEX_EXEC_SERVER_URL is set, else one of those in
 * `environments.toml` of the Codex home. Throws ConfigError where there is none of that id, or it has neither `url` nor
 * `program`.
 * Source: codex 0.142.0 and 0.169.0, EXEC.md 12.
 */
export const readEnvironment =
  (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>) =>
  (id: string): Environment => {
    const url = deps.env.CODEX_EXEC_SERVER_URL;
    if (id === LOCAL) return { kind: 'local' };
    if (id === REMOTE && url && url !== 'none') return { kind: 'url', url };
    const file = join(deps.codexHome, 'environments.toml');
    const tables = tablesOf(fileTable(deps, file));
    const table = tables.find((one) => one.id === id);
    const known = [LOCAL, ...tables.map((one) => String(one.id))];
    if (table === undefined) throw notFound({ what: 'environment', name: id, where: 'environment_id', file, known });
    return toEnvironment(table, `${file}: environment \`${id}\``);
  };

const tablesOf = (table: JsonObject | undefined): JsonObject[] =>
  Array.isArray(table?.environments) ? table.environments.filter(isObject) : [];

const toEnvironment = ({ url, program, args, env, cwd }: JsonObject, where: string): Environment => {
  if (typeof url === 'string' && program === undefined) return { kind: 'url', url };
  if (typeof program !== 'string' || url !== undefined) {
    throw new ConfigError(`${where} must have a url, or a program with args, env and cwd`);
  }
  return {
    kind: 'command',
    argv: [program, ...(Array.isArray(args) ? args.map(String) : [])],
    env: Object.fromEntries(Object.entries(isObject(env) ? env : {}).map(([name, value]) => [name, String(value)])),
    ...(typeof cwd === 'string' && { cwd }),
  };
};
