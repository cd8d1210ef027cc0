/** Checks the keys that a call sets in `config`: it may set those of one list, which run no program and move no credentials. */
import { THREAD_SETTINGS } from '../../protocol/codex/settings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { nearest } from '../../streams/text/nearest';
import { ConfigError } from '../faults/configError';
import { dotted } from '../faults/errorText';
import { hasMoreValues, isTable, MAX_VALUES, type Path, type Toml } from '../layer';
import { callLayer } from '../layers/callLayer';
import { INSTRUCTIONS_FILES } from '../layers/fileLayer';
import { isUnknownKey } from '../schema/unknownKeys';

/** The keys of the tool that searches the web: a call must not switch it on by another key than the operator switched it off by. */
export const SEARCHES: readonly string[] = [
  ...['web_search', 'tools.web_search', 'tools.web_search_request', 'features.web_search'],
  ...['features.web_search_request', 'features.web_search_cached', 'features.standalone_web_search'],
];

/** One value that a call sets; no table, unless it is empty. */
export type Leaf = { path: Path; value: Toml };

/** Throws ConfigError for a `config` with more values, at any depth, than a call may set. */
export const checkCallSize = (config: JsonObject): void => {
  if (hasMoreValues(config, MAX_VALUES))
    throw new ConfigError(
      `argument config: it has more than ${MAX_VALUES} values; put settings that stay into config.toml`,
    );
};

/** The values that a call sets in `config`, each with its whole path. */
export const leavesOf = (config: JsonObject): Leaf[] =>
  callLayer(config, '').flatMap(({ path, value }) => leavesIn({ path, value }));

/** The values at and below a path, each with its whole path. */
export const leavesIn = ({ path, value }: Leaf): Leaf[] =>
  isTable(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => leavesIn({ path: [...path, key], value: inner }))
    : [{ path, value }];

/**
 * The keys that a call may set, each with all below it; each names no program and no address, and opens no other file of the machine. What they may be set to
 * is limited by `limitCall`. Any other key is refused, so a key that a later release of Codex adds is too. An installed Codex receives the same `config`.
 */
export const CALL_KEYS: readonly string[] = [
  ...Object.values(THREAD_SETTINGS).flatMap(({ key }) => (key === null ? [] : [key.name])),
  ...['environment_id', 'model_provider', 'model_context_window', 'model_max_output_tokens', 'model_verbosity'],
  ...['model_auto_compact_token_limit', 'model_supports_reasoning_summaries', 'plan_mode_reasoning_effort'],
  ...['service_tier', 'personality', 'instructions', ...INSTRUCTIONS_FILES, 'project_doc_max_bytes'],
  ...['hide_agent_reasoning', 'show_raw_agent_reasoning', 'tool_output_token_limit', 'disable_response_storage'],
  ...['network_access', 'writable_roots', 'exclude_slash_tmp', 'exclude_tmpdir_env_var'].map(
    (key) => `sandbox_workspace_write.${key}`,
  ),
  ...['inherit', 'exclude', 'include_only'].map((key) => `shell_environment_policy.${key}`),
  ...['history.persistence', 'tools.view_image', ...SEARCHES],
];

/** True for a table of which a call may set some keys. */
const isPartlyOpen = (path: Path): boolean => CALL_KEYS.some((key) => key.startsWith(`${path.join('.')}.`));

/** Keys that a call may set to false only: the environment shows less, and Unix sockets are closed. */
const TO_FALSE: readonly string[] = [
  'shell_environment_policy.ignore_default_excludes',
  'sandbox_workspace_write.unix_sockets',
];

/** A call may also switch a server off. */
const isStricter = ({ path, value }: Leaf): boolean =>
  value === false &&
  ((path[0] === 'mcp_servers' && path.length === 3 && path[2] === 'enabled') || TO_FALSE.includes(path.join('.')));

/** More keys are counted only: a call may have hundreds. */
const MAX_LINES = 20;

/**
 * Throws ConfigError for the keys that a call may not set, each with the flag that allows it, or with what was probably meant.
 * @param allowed keys that the operator allows, each with all below it
 */
export const checkCallKeys = (leaves: readonly Leaf[], allowed: readonly string[] = []): void => {
  const keys = [...CALL_KEYS, ...allowed].map((key) => key.split('.'));
  const refused = leaves.filter((leaf) => !isStricter(leaf) && !keys.some((key) => isAt(key, leaf.path)));
  const more = refused.length - MAX_LINES;
  if (refused.length > 0)
    throw new ConfigError([
      ...refused.slice(0, MAX_LINES).map(refusalOf),
      ...(more > 0 ? [`argument config: a call may not set ${more} more of its keys`] : []),
    ]);
};

/** The flag would have no effect for a key that nothing reads here, but an installed Codex might read the key. */
const refusalOf = ({ path, value }: Leaf): string => {
  const end = path.findIndex((_, at) => !isPartlyOpen(path.slice(0, at + 1)));
  const name = dotted(end < 0 ? path : path.slice(0, end + 1));
  const near = nearest(path.join('.'), CALL_KEYS);
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  const why = isUnknownKey(path, value)
    ? `it is no key of the configuration${guess || `, and the server's flag --allow-call-config ${name} would only pass it on to an installed Codex`}`
    : `a call may not set ${name}; the server's flag --allow-call-config ${name} lets calls set it${guess}`;
  return `argument config, key ${dotted(path)}: ${why}`;
};

const isAt = (prefix: Path, path: Path): boolean => prefix.every((key, at) => key === path[at]);
