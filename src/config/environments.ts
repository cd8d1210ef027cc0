/** Owns where processes may run: here, or behind the exec-servers that are configured. Parsers are loaded by the first use. */
import { join } from 'node:path';
import type { JsonObject } from '../protocol';
import { ConfigError } from './config';
import type { ConfigDeps } from './loadConfig';

/** An exec-server by its address, or as a command that speaks on its standard streams; or this machine. */
export type Environment =
  | { kind: 'local' }
  | { kind: 'url'; url: string }
  | { kind: 'command'; argv: string[]; env: Record<string, string>; cwd?: string };

const LOCAL = 'local';
/** The one that CODEX_EXEC_SERVER_URL names. */
const REMOTE = 'remote';

/**
 * The environment of a name: `local`, `remote` where CODEX_EXEC_SERVER_URL is set, else one of `environments.toml` in the Codex
 * home. Throws ConfigError where there is none of that name, or it says neither `url` nor `program`.
 * Source: codex 0.142.0 and 0.169.0, EXEC.md 12.
 */
export const readEnvironment =
  (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>) =>
  (id: string): Environment => {
    const url = deps.env.CODEX_EXEC_SERVER_URL;
    if (id === LOCAL) return { kind: 'local' };
    if (id === REMOTE && url && url !== 'none') return { kind: 'url', url };
    const { fileTable } = require('./fileLayer') as typeof import('./fileLayer');
    const { notFound } = require('./notFound') as typeof import('./notFound');
    const file = join(deps.codexHome, 'environments.toml');
    const tables = tablesOf(fileTable(deps, file));
    const table = tables.find((one) => one.id === id);
    const known = [LOCAL, ...tables.map((one) => String(one.id))];
    if (table === undefined) throw notFound({ what: 'environment', name: id, where: 'environment_id', file, known });
    return toEnvironment(table, `${file}: environment \`${id}\``);
  };

const isTable = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tablesOf = (table: JsonObject | undefined): JsonObject[] =>
  Array.isArray(table?.environments) ? table.environments.filter(isTable) : [];

const toEnvironment = ({ url, program, args, env, cwd }: JsonObject, where: string): Environment => {
  if (typeof url === 'string' && program === undefined) return { kind: 'url', url };
  if (typeof program !== 'string' || url !== undefined) {
    throw new ConfigError(`${where} must have a url, or a program with args, env and cwd`);
  }
  return {
    kind: 'command',
    argv: [program, ...(Array.isArray(args) ? args.map(String) : [])],
    env: Object.fromEntries(Object.entries(isTable(env) ? env : {}).map(([name, value]) => [name, String(value)])),
    ...(typeof cwd === 'string' && { cwd }),
  };
};
