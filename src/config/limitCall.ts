/** Holds a call below the ceiling that the operator set. */
import { isAbsolute, resolve } from 'node:path';
import type { ThreadSettings } from '../protocol/codex';
import { checkCallKeys, type Leaf, leavesIn, leavesOf } from './callKeys';
import { type Ceiling, isLooserMode, isLooserPolicy } from './ceiling';
import { ConfigError } from './configError';
import type { ConfigDeps } from './deps';
import { dotted, found } from './errorText';
import { getIn, type Path } from './layer';
import { isInside, limitFiles } from './limitFiles';
import { ofJsonNumber, toToml } from './toToml';

/** @param profile the keys of the profile that the call names; @param forbidden keys that an engine forbids besides */
export type CallSources = {
  settings: ThreadSettings;
  profile?: object;
  ceiling: Ceiling;
  forbidden?: readonly string[];
};

/**
 * Throws ConfigError where a call asks for more than the operator allows: a forbidden key in `config`, a looser policy or mode, a
 * setting that stands on the command line of the server. The message names the key and the flag that would allow it.
 */
export const limitCall = (deps: ConfigDeps, { settings, profile = {}, ceiling, forbidden }: CallSources): void => {
  const { lock = false, allowCallOverride = false, allowCallConfig = [] } = deps.limits ?? {};
  const leaves = leavesOf(settings.config ?? {});
  checkCallKeys(leaves, allowCallConfig, forbidden);
  if (allowCallOverride) return;
  limitFiles(deps, settings, leaves);
  const requests: Leaf[] = [
    ...leaves,
    ...leavesIn({ path: [], value: toToml('profile', ofJsonNumber)(profile) }),
    ...(settings.approvalPolicy === undefined ? [] : [{ path: ['approval_policy'], value: settings.approvalPolicy }]),
    ...(settings.sandbox === undefined ? [] : [{ path: ['sandbox_mode'], value: settings.sandbox }]),
  ];
  for (const request of requests) {
    if (exceeds(ceiling, request)) throw refused(ceiling, request);
  }
  if (lock && settings.cwd !== undefined && !isInside(deps, deps.cwd, resolve(deps.cwd, settings.cwd))) {
    throw new ConfigError(
      `argument cwd: ${settings.cwd} is outside of ${deps.cwd}, where the flag --lock keeps threads; name a folder in it`,
    );
  }
};

const exceeds = (ceiling: Ceiling, { path, value }: Leaf): boolean => {
  const limit = getIn(ceiling.table, path);
  const { policy, mode } = ceiling;
  switch (path[0]) {
    case 'approval_policy':
      return policy !== undefined && isLooserPolicy(value as typeof policy, policy);
    case 'sandbox_mode':
      return mode !== undefined && isLooserMode(value as typeof mode, mode);
    case 'sandbox_workspace_write':
      return (mode !== undefined || ceiling.table.sandbox_workspace_write !== undefined) && widens(path, value, limit);
    case 'shell_environment_policy':
    case 'model_provider':
      return limit !== undefined && JSON.stringify(value) !== JSON.stringify(limit);
    default:
      return false;
  }
};

/** Stricter are: no network, fewer folders. A relative one counts from another folder than that of the operator. */
const widens = (path: Path, value: Leaf['value'], limit: Leaf['value'] | undefined): boolean => {
  switch (path[1]) {
    case 'network_access':
      return value !== false && limit !== true;
    case 'writable_roots':
      return (
        !Array.isArray(value) ||
        value.some((root) => !isAbsolute(String(root)) || !Array.isArray(limit) || !limit.includes(root))
      );
    default:
      return value !== true && limit === true;
  }
};

const refused = ({ policy, mode, where }: Ceiling, { path, value }: Leaf): ConfigError => {
  const [key] = path;
  const limit = key === 'approval_policy' ? policy : key === 'sandbox_mode' ? mode : undefined;
  const than =
    limit === undefined ? `more than ${where(path)} allows` : `looser than "${limit}", which is set by ${where(path)}`;
  return new ConfigError(
    `the call asks for ${dotted(path)} = ${found(value, path)}, ${than}; a call may only be stricter, unless the server is started with --allow-call-override`,
  );
};
