/** Limits a call to the ceiling of the operator. */
import { isAbsolute, resolve } from 'node:path';
import { type ApprovalPolicy, fromRows, type SandboxMode, type ThreadSettings } from '../../protocol/codex/settings';
import { wordOf } from '../../protocol/jsonrpc/json';
import { BOUND_KEYS } from '../bounds';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { dotted, found } from '../faults/errorText';
import { getIn, type Path, type Table } from '../layer';
import { ofJsonNumber, toToml } from '../layers/toToml';
import { checkCallKeys, type Leaf, leavesIn, leavesOf, SEARCHES } from './callKeys';
import { type Ceiling, modeBelow, policyBelow } from './ceiling';
import { isInside, limitFiles } from './limitFiles';

type CallSources = {
  settings: ThreadSettings;
  /** The keys of the profile that the call names. */
  profile?: object;
  ceiling: Ceiling;
};

/**
 * Throws ConfigError if a call asks for more than the operator allows: a key in `config` that calls may not set, a looser policy or mode, a
 * setting that the command line of the server has fixed. The message names each key and the flag that would allow it.
 */
export const limitCall = (deps: ConfigDeps, { settings, profile = {}, ceiling }: CallSources): void => {
  const { lock = false, allowCallOverride = false, allowCallConfig = [] } = deps.limits ?? {};
  const leaves = leavesOf(settings.config ?? {});
  const isBrought = deps.limits?.bringsServers && (ceiling.mode ?? 'danger-full-access') === 'danger-full-access';
  checkCallKeys(leaves, isBrought ? [...allowCallConfig, 'mcp_servers', 'model_providers'] : allowCallConfig);
  if (allowCallOverride) return;
  limitFiles(deps, settings, leaves);
  const requests: Leaf[] = [
    ...leaves,
    ...leavesIn({ path: [], value: toToml('profile', ofJsonNumber)(profile) }),
    ...argumentsOf(settings),
  ];
  const refused = requests.filter((request) => exceeds(ceiling, request)).map((request) => refusalOf(ceiling, request));
  if (refused.length > 0) throw new ConfigError(refused);
  if (lock && settings.cwd !== undefined && !isInside(deps, deps.cwd, resolve(deps.cwd, settings.cwd))) {
    throw new ConfigError(
      `argument cwd: ${settings.cwd} is outside of ${deps.cwd}, where the flag --lock keeps threads; name a folder in it`,
    );
  }
};

/** The arguments that override keys of config.toml, as those keys. */
const argumentsOf = (settings: ThreadSettings): Leaf[] => {
  const byKey = fromRows<Table>(({ key }, name) =>
    key && settings[name] !== undefined ? [key.name, settings[name]] : null,
  );
  return Object.entries(byKey).map(([key, value]) => ({ path: [key], value }));
};

/** A form that only an installed Codex knows, such as `approval_policy = { granular = … }`, counts as looser: its strictness is unknown here. */
const exceeds = (ceiling: Ceiling, { path, value }: Leaf): boolean => {
  const limit = getIn(ceiling.table, path);
  const { policy, mode } = ceiling;
  switch (path[0]) {
    case 'approval_policy':
      return policy !== undefined && (path.length > 1 || policyBelow(value as ApprovalPolicy, policy) !== value);
    case 'sandbox_mode':
      return mode !== undefined && (path.length > 1 || modeBelow(value as SandboxMode, mode) !== value);
    case 'sandbox_workspace_write':
      return (mode !== undefined || ceiling.table.sandbox_workspace_write !== undefined) && widens(path, value, limit);
    case 'shell_environment_policy':
    case 'model_provider':
      return limit !== undefined && JSON.stringify(value) !== JSON.stringify(limit);
    case 'default_permissions': // newer releases of Codex let these decide instead of the mode and the policy
    case 'permissions':
      return mode !== undefined;
    case 'approvals_reviewer':
      return policy !== undefined;
    case 'tools':
    case 'features':
    case 'web_search':
      return !isOff(value) && switchOf(ceiling, path) !== undefined;
    default:
      return BOUND_KEYS.includes(String(path[0])) && isAbove(value, ceiling.bounds()[String(path[0])]);
  }
};

const isAbove = (value: Leaf['value'], bound: unknown): boolean =>
  bound !== undefined && !(Number(value) <= Number(bound));

/** The key with which the operator switched off the tool of a key. */
const switchOf = ({ table }: Ceiling, path: Path): Path | undefined => {
  const searches = SEARCHES.map((key) => key.split('.'));
  const isSearch = searches.some((search) => search.every((key, at) => key === path[at]));
  return (isSearch ? searches : [path]).find((key) => isOff(getIn(table, key)));
};

const isOff = (value: Leaf['value'] | undefined): boolean => value === false || value === 'disabled';

/** No network and fewer folders are stricter. A relative folder of a call starts at another folder than a folder of the operator. */
const widens = (path: Path, value: Leaf['value'], limit: Leaf['value'] | undefined): boolean => {
  switch (path[1]) {
    case 'network_access':
    case 'unix_sockets':
      return value !== false && limit !== true;
    case 'writable_roots':
    case 'devices':
      return (
        !Array.isArray(value) ||
        value.some((root) => !isAbsolute(wordOf(root)) || !Array.isArray(limit) || !limit.includes(root))
      );
    default:
      return value !== true && limit === true;
  }
};

/** The key of the operator that limits a key of the call. */
const limitedBy = (ceiling: Ceiling, path: Path): Path => {
  switch (path[0]) {
    case 'default_permissions':
    case 'permissions':
      return ['sandbox_mode'];
    case 'approvals_reviewer':
      return ['approval_policy'];
    case 'tools':
    case 'features':
    case 'web_search':
      return switchOf(ceiling, path) ?? path;
    default:
      return path;
  }
};

const refusalOf = (ceiling: Ceiling, leaf: Leaf): string => {
  const { path, value } = leaf;
  const { policy, mode, where } = ceiling;
  const [key] = path;
  if (BOUND_KEYS.includes(String(key))) return boundText(leaf, ceiling.bounds()[String(key)]);
  const place = where(limitedBy(ceiling, path));
  const limit = key === 'approval_policy' ? policy : key === 'sandbox_mode' ? mode : undefined;
  const than = limit === undefined ? `more than ${place} allows` : `looser than "${limit}", which is set by ${place}`;
  return `the call asks for ${dotted(path)} = ${found(value, path)}, ${than}; a call may only be stricter, unless the server is started with --allow-call-override`;
};

const boundText = ({ path, value }: Leaf, bound: unknown): string =>
  `the call asks for ${dotted(path)} = ${typeof value === 'object' ? 'a table' : value}, and the server allows ${wordOf(bound)}; a call may only lower it`;
