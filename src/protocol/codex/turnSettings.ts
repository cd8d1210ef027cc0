/** What a turn, or a later call, changes of the settings of its thread. */
import { withoutUndefined } from '../jsonrpc/json';
import { fromRows, type ThreadSettings } from './settings';

/** What commands may do in the mode workspace-write besides writing to `cwd`. Source: Codex 0.28.0 `sandbox_workspace_write`. */
export type WorkspaceWrite = {
  /** Folders that may be written to; absolute. */
  writableRoots: readonly string[];
  /** The folders among them that the user names, in the file, a profile or a flag; not those of a call or a project. Default: none. */
  ownRoots?: readonly string[];
  /** Whether commands may use the network. */
  networkAccess: boolean;
  /** Whether the folder of `TMPDIR` may not be written to. */
  excludeTmpdirEnvVar: boolean;
  /** Whether `/tmp` may not be written to. */
  excludeSlashTmp: boolean;
  /** Whether commands with a network may use Unix sockets. Default: if all that programs outside listen on can be hidden. */
  unixSockets?: boolean;
  /** Devices that commands may use, or folders of devices; absolute. Default: none but the harmless ones. */
  devices?: readonly string[];
};

/** What commands of a turn may touch. Absent members are as configured. Source: Codex 0.28.0 `sandbox_policy`. */
export type SandboxPolicy =
  | { mode: 'read-only' | 'danger-full-access' }
  | ({ mode: 'workspace-write' } & Partial<Omit<WorkspaceWrite, 'ownRoots' | 'unixSockets' | 'devices'>>);

/** Settings that a turn or a later call may change; an absent one stays as the thread has it. */
export type TurnSettings = Omit<ThreadSettings, 'sandbox'> & {
  /** What commands may touch, with the folders. */
  sandbox?: SandboxPolicy;
};

/**
 * The settings of a thread, overridden by others. A key of their `config` also overrides a setting of the thread that means the same, and a profile that
 * they name overrides all of the thread that it sets. Without `cwd`, another `environment_id` means the default folder there.
 */
export const withTurnSettings = (
  thread: ThreadSettings,
  { sandbox, config, ...rest }: TurnSettings,
): ThreadSettings => {
  const own = withoutUndefined(rest);
  const before = withoutMembers(thread, own);
  const keys = { ...config, ...(sandbox && toKeys(sandbox)) };
  const { cwd, ...kept } = withoutKeys(isProfileNamed({ config, ...own }) ? asKeys(before) : before, keys);
  const given = {
    ...kept,
    ...(cwd !== undefined && keys.environment_id === undefined && { cwd }),
    ...own,
    ...(sandbox && { sandbox: sandbox.mode }),
  };
  return withKeys(given, keys);
};

const withKeys = (settings: ThreadSettings, keys: object): ThreadSettings =>
  Object.keys(keys).length === 0 ? settings : { ...settings, config: { ...settings.config, ...keys } };

const isProfileNamed = ({ profile, config }: TurnSettings): boolean => (profile ?? config?.profile) !== undefined;

/** The settings that keys of config.toml can hold as such keys, which a profile overrides. */
const asKeys = (thread: ThreadSettings): ThreadSettings => {
  const held = fromRows<ThreadSettings>(({ key }, name) => key && [name, thread[name]]);
  const keys = fromRows<object>(({ key }, name) => key && [key.name, name === 'profile' ? undefined : thread[name]]);
  return withKeys(withoutMembers(thread, held), withoutUndefined(keys));
};

/** The settings without what these keys override. */
const withoutKeys = (thread: ThreadSettings, keys: Record<string, unknown>): ThreadSettings => {
  const overridden = fromRows<ThreadSettings>(({ key }, name) =>
    key && keys[key.name] !== undefined ? [name, 0] : null,
  );
  const { config, ...rest } = withoutMembers(thread, overridden);
  return { ...rest, ...(config && { config: withoutMembers(config, keys) }) };
};

const withoutMembers = <T extends object>(object: T, members: object): T =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(members, name))) as T;

/** The keys of config.toml that a sandbox policy sets. */
const toKeys = (policy: SandboxPolicy): Record<string, unknown> => {
  if (policy.mode !== 'workspace-write') return {};
  const table = {
    writable_roots: policy.writableRoots,
    network_access: policy.networkAccess,
    exclude_tmpdir_env_var: policy.excludeTmpdirEnvVar,
    exclude_slash_tmp: policy.excludeSlashTmp,
  };
  const given = Object.entries(withoutUndefined(table));
  return Object.fromEntries(given.map(([key, value]) => [`sandbox_workspace_write.${key}`, value]));
};
