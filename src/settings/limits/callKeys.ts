/** Checks the keys that a call sets in `config`: none may run programs or move credentials. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { ConfigError } from '../faults/configError';
import { dotted } from '../faults/errorText';
import { isTable, type Path, type Toml } from '../layer';
import { callLayer } from '../layers/callLayer';

/** One value that a call sets; no table, unless it is empty. */
export type Leaf = { path: Path; value: Toml };

/** The values that a call sets in `config`, each with its whole path. */
export const leavesOf = (config: JsonObject): Leaf[] =>
  callLayer(config, '').flatMap(({ path, value }) => leavesIn({ path, value }));

/** The values at and below a path, each with its whole path. */
export const leavesIn = ({ path, value }: Leaf): Leaf[] =>
  isTable(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => leavesIn({ path: [...path, key], value: inner }))
    : [{ path, value }];

/**
 * Keys that start programs, name where credentials go, or show them to commands. Keys that only newer releases of Codex know are
 * among them, because an installed Codex receives the same `config`.
 */
const FORBIDDEN = [
  ...['model_providers', 'profiles', 'mcp_servers', 'notify', 'hooks', 'plugins', 'otel', 'chatgpt_base_url'],
  ...['openai_base_url', 'cli_auth_credentials_store', 'mcp_oauth_credentials_store', 'zsh_path', 'js_repl_node_path'],
  ...['shell_environment_policy.set', 'shell_environment_policy.ignore_default_excludes'],
  ...['shell_environment_policy.experimental_use_profile', 'nats', 'thread_store'],
  ...['allowed_environments', 'environments', 'agents', 'apps', 'marketplaces', 'log_dir', 'sqlite_home'],
  ...['experimental_realtime_ws_base_url', 'experimental_thread_config_endpoint', 'experimental_thread_store'],
  ...['mcp_oauth_callback_url', 'features.hooks', 'features.codex_hooks', 'features.plugins', 'features.plugin_hooks'],
  ...['features.remote_plugin', 'features.skill_mcp_dependency_install', 'features.apps_mcp_path_override'],
  ...['features.network_proxy', 'features.remote_control'],
].map((key) => key.split('.'));

/** True if either path begins with the other: a table around a forbidden key is as bad as the key, and so is a key in a forbidden table. */
const agree = (a: Path, b: Path): boolean => a.every((key, at) => at >= b.length || key === b[at]);

/** Switching a server or a feature off is fine, and so is an environment that shows less. */
const isHarmless = ({ path, value }: Leaf): boolean => {
  const last = path.at(-1);
  if (path[0] === 'mcp_servers') return path.length === 3 && last === 'enabled' && value === false;
  return (path[0] === 'features' || last === 'ignore_default_excludes') && value === false;
};

/** A value, and the forbidden key that it is at, above or below. */
type Forbidden = { leaf: Leaf; key: Path };

/**
 * The first value that could run programs or move credentials.
 * @param allowed keys that the operator allows, each with all below it
 * @param more keys that are forbidden too
 */
const firstForbidden = (
  leaves: readonly Leaf[],
  allowed: readonly string[] = [],
  more: readonly string[] = [],
): Forbidden | undefined => {
  const keys = [...FORBIDDEN, ...more.map((key) => [key])];
  for (const leaf of leaves) {
    const key = keys.find((forbidden) => agree(forbidden, leaf.path));
    if (key === undefined || isHarmless(leaf) || allowed.some((one) => isAt(one.split('.'), leaf.path))) continue;
    return { leaf, key };
  }
  return undefined;
};

/** Throws ConfigError for the first key that a call may not set, with the flag that allows it. For the parameters see `firstForbidden`. */
export const checkCallKeys = (...given: Parameters<typeof firstForbidden>): void => {
  const found = firstForbidden(...given);
  if (found === undefined) return;
  const name = dotted(found.key);
  throw new ConfigError(
    `argument config, key ${dotted(found.leaf.path)}: a call may not set ${name}, because it could run programs or move credentials; the server's flag --allow-call-config ${name} lets calls set it`,
  );
};

const isAt = (prefix: Path, path: Path): boolean => prefix.every((key, at) => key === path[at]);
