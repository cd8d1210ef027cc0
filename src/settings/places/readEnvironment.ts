/** Where processes run: on this machine, or through an exec-server that is configured. */
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import { isPlainName, PLAIN_NAME } from '../../streams/text/trim';
import type { ConfigDeps } from '../deps';
import { ConfigError, notFound } from '../faults/configError';
import { type EnvironmentTable, environmentsFile, environmentTables, placeOfEnvironment } from './environmentsFile';

/** An executor behind NATS by its name, or the least loaded member of a pool. */
export type FleetEnvironment = {
  /** The servers of NATS. */
  url: string;
} & ({ executor: string } | { pool: string });

/** This machine, an exec-server at an address with its token, a command that is an exec-server on its standard streams, or executors behind NATS. */
export type Environment =
  | { kind: 'local' }
  | ({ kind: 'fleet' } & FleetEnvironment)
  | { kind: 'url'; url: string; token?: string }
  | { kind: 'command'; argv: string[]; env: Record<string, string>; cwd?: string };

/** The environment that is this machine. */
export const LOCAL = 'local';
/** The environment whose address is in CODEX_EXEC_SERVER_URL, and whose token in CODEX_RX_EXEC_TOKEN. */
const REMOTE = 'remote';

/**
 * Finds an environment by its id: `local`, `remote` if CODEX_EXEC_SERVER_URL is set, otherwise an environment in the files of the Codex home.
 * `place` is where the id is set, for the error text. Throws ConfigError where there is none of that id, or it has neither `url` nor
 * `program`; a `url` of NATS needs an `executor` or a `pool`, which are ours.
 * Source: codex 0.142.0 and 0.169.0, EXEC.md 12; `auth_bearer_token` is of 0.169.0, `bearer_token_env_var` the name that Codex has for the
 * same in its MCP servers.
 */
export const readEnvironment =
  (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>) =>
  (id: string, place = () => 'environment_id'): Environment => {
    const url = remoteUrl(deps);
    if (id === LOCAL) return { kind: 'local' };
    if (id === REMOTE && url !== undefined) return remoteAt(deps, url);
    const [file, tables] = [environmentsFile(deps), environmentTables(deps)];
    const found = tables.find(({ table }) => table.id === id);
    const known = [LOCAL, ...tables.map(({ table }) => wordOf(table.id))];
    const places = id === REMOTE ? `CODEX_EXEC_SERVER_URL, which is not set, nor in ${file}` : file;
    if (found === undefined) throw notFound({ what: 'environment', name: id, where: place(), file: places, known });
    const where = `${placeOfEnvironment(deps, found)}: environment \`${id}\``;
    const environment = toEnvironment(found.table, where);
    return withToken(deps, environment, { ...found, where, isOnly: isOnlyAddress(deps, tables) });
  };

/** It has its address and its token from the environment of this process. */
const remoteAt = (deps: Pick<ConfigDeps, 'env'>, url: string): Environment => {
  const where = 'CODEX_EXEC_SERVER_URL';
  return withToken(deps, toEnvironment({ url }, where), { table: {}, where, isOnly: true });
};

/** Whether only one exec-server has an address. */
const isOnlyAddress = (deps: Pick<ConfigDeps, 'env'>, tables: readonly EnvironmentTable[]): boolean => {
  const urls = tables.map(({ table: { url } }) => url).filter((url) => typeof url === 'string' && !NATS.test(url));
  return new Set([...urls, remoteUrl(deps)].filter(Boolean)).size === 1;
};

const withToken = (deps: Pick<ConfigDeps, 'env'>, environment: Environment, from: TokenOf): Environment => {
  if (environment.kind !== 'url') return environment;
  const token = environmentToken(deps, from);
  return token === undefined ? environment : { ...environment, token };
};

const remoteUrl = ({ env }: Pick<ConfigDeps, 'env'>): string | undefined => {
  const url = env.CODEX_EXEC_SERVER_URL;
  return url && url !== 'none' ? url : undefined;
};

/** The environments that can be named, without this machine. Throws ConfigError. */
export const environmentIds = (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>): string[] => [
  ...(remoteUrl(deps) === undefined ? [] : [REMOTE]),
  ...environmentTables(deps).map(({ table }) => wordOf(table.id)),
];

const NATS = /^(nats|tls):\/\//i;

const toFleet = ({ executor, pool }: JsonObject, url: string, where: string): Environment => {
  if (typeof executor === 'string' && pool === undefined)
    return { kind: 'fleet', url, executor: plain(executor, where) };
  if (typeof pool === 'string' && executor === undefined) return { kind: 'fleet', url, pool: plain(pool, where) };
  throw new ConfigError(`${where} has a url of NATS, so it must have an executor or a pool, by name`);
};

const plain = (name: string, where: string): string => {
  if (isPlainName(name)) return name;
  throw new ConfigError(
    `${where}: ${JSON.stringify(name)} is not a name of an executor or a pool, which has ${PLAIN_NAME}`,
  );
};

const toEnvironment = (table: JsonObject, where: string): Environment => {
  const { url, program, args, env, cwd } = table;
  if (typeof url === 'string' && program === undefined && NATS.test(url)) return toFleet(table, url, where);
  if (typeof url === 'string' && program === undefined) return { kind: 'url', url };
  if (typeof program !== 'string' || url !== undefined) {
    throw new ConfigError(`${where} must have a url, or a program with args, env and cwd`);
  }
  return {
    kind: 'command',
    argv: [program, ...(Array.isArray(args) ? args.map(String) : [])],
    env: Object.fromEntries(Object.entries(isObject(env) ? env : {}).map(([name, value]) => [name, wordOf(value)])),
    ...(typeof cwd === 'string' && { cwd }),
  };
};

/** The token of the one exec-server at an address. */
const OF_THE_ONLY = 'CODEX_RX_EXEC_TOKEN';

type TokenOf = {
  /** As written. */
  table: JsonObject;
  /** Names the environment in an error. */
  where: string;
  /** No other exec-server at another address can be named. */
  isOnly: boolean;
};

/**
 * The token: from the variable that the environment names, otherwise from its table, otherwise from CODEX_RX_EXEC_TOKEN. That variable is for one exec-server
 * alone: if there are several, none gets the token of another. Throws ConfigError if a named variable is not set.
 * Source: codex 0.169.0 has `auth_bearer_token`; its MCP servers have `bearer_token_env_var`.
 */
export const environmentToken = (
  { env }: Pick<ConfigDeps, 'env'>,
  { table, where, isOnly }: TokenOf,
): string | undefined => {
  const { bearer_token_env_var: name, auth_bearer_token: given } = table;
  if (typeof name === 'string' && !env[name]) {
    throw new ConfigError(`${where}: bearer_token_env_var names ${name}, which is not set; set it for codex-rx`);
  }
  if (typeof name === 'string') return env[name];
  if (typeof given === 'string' && given !== '') return given;
  return isOnly ? env[OF_THE_ONLY] || undefined : undefined;
};
