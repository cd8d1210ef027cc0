/** Where processes run: on this machine, or through an exec-server that is configured. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import { isPlainName, PLAIN_NAME } from '../text';
import { ConfigError } from './configError';
import type { ConfigDeps } from './deps';
import { readEnvironments } from './environmentsFile';
import { notFound } from './notFound';

/** An executor behind NATS by its name, or the least loaded one of a pool; `url` has the servers of NATS. */
export type FleetEnvironment = { url: string } & ({ executor: string } | { pool: string });

/** This machine, an exec-server at an address, a command that serves as one on its standard streams, or executors behind NATS. */
export type Environment =
  | { kind: 'local' }
  | ({ kind: 'fleet' } & FleetEnvironment)
  | { kind: 'url'; url: string }
  | { kind: 'command'; argv: string[]; env: Record<string, string>; cwd?: string };

/** The environment that is this machine. */
export const LOCAL = 'local';
/** The environment whose address is in CODEX_EXEC_SERVER_URL. */
const REMOTE = 'remote';

/**
 * Finds an environment by its id: `local`, `remote` where CODEX_EXEC_SERVER_URL is set, else one of those in
 * `environments.toml` of the Codex home. Throws ConfigError where there is none of that id, or it has neither `url` nor
 * `program`; a `url` of NATS needs an `executor` or a `pool`, which are ours.
 * Source: codex 0.142.0 and 0.169.0, EXEC.md 12.
 */
export const readEnvironment =
  (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>) =>
  (id: string): Environment => {
    const url = remoteUrl(deps);
    if (id === LOCAL) return { kind: 'local' };
    if (id === REMOTE && url !== undefined) return toEnvironment({ url }, 'CODEX_EXEC_SERVER_URL');
    const { file, tables } = readEnvironments(deps);
    const table = tables.find((one) => one.id === id);
    const known = [LOCAL, ...tables.map((one) => String(one.id))];
    const places = id === REMOTE ? `CODEX_EXEC_SERVER_URL, which is not set, nor in ${file}` : file;
    if (table === undefined)
      throw notFound({ what: 'environment', name: id, where: 'environment_id', file: places, known });
    return toEnvironment(table, `${file}: environment \`${id}\``);
  };

const remoteUrl = ({ env }: Pick<ConfigDeps, 'env'>): string | undefined => {
  const url = env.CODEX_EXEC_SERVER_URL;
  return url && url !== 'none' ? url : undefined;
};

/** The environments that can be named, without this machine. Throws ConfigError. */
export const environmentIds = (deps: Pick<ConfigDeps, 'codexHome' | 'env' | 'readFile'>): string[] => [
  ...(remoteUrl(deps) === undefined ? [] : [REMOTE]),
  ...readEnvironments(deps).tables.map((one) => String(one.id)),
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
    `${where}: ${JSON.stringify(name)} is no name of an executor or a pool, which has ${PLAIN_NAME}`,
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
    env: Object.fromEntries(Object.entries(isObject(env) ? env : {}).map(([name, value]) => [name, String(value)])),
    ...(typeof cwd === 'string' && { cwd }),
  };
};
