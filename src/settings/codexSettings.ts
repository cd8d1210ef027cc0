/** The settings of the operator, in the form that every release of an installed Codex accepts. */
import type { ApprovalPolicy, SandboxMode, ThreadSettings } from '../protocol/codex/settings';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { BOUND_KEYS, type Bounds, boundsOf } from './bounds';
import type { ConfigDeps } from './deps';
import { ConfigError } from './faults/configError';
import { tried } from './faults/tried';
import { getIn, type Setting, type Table, toTable } from './layer';
import { configFile, fileTable } from './layers/fileLayer';
import { flagLayer, isText } from './layers/flagLayer';
import { leavesOf } from './limits/callKeys';
import { ceilingOfServer } from './loadConfig';

/** What an installed Codex gets from the operator. */
export type CodexSettings = {
  /** Values of `-c` for its process. */
  overrides: string[];
  /** The name of a profile, which Codex itself does not take here. */
  profile?: string;
  /** Keys for each thread, below the keys of its profile and of its call. */
  config: JsonObject;
  /** The ceiling, above which no thread may go. */
  policy?: ApprovalPolicy;
  /** The ceiling, above which no thread may go. */
  mode?: SandboxMode;
};

/** Keys of ours, which no Codex knows. */
const OURS: readonly string[] = ['environment_id', 'allowed_environments', 'thread_store', 'nats', ...BOUND_KEYS];

/** Keys that go to each thread. Source: codex 0.142.0 to 0.171.0 read this file from their own folder if the process gets the key. */
const OF_THREAD: readonly string[] = ['model_instructions_file'];

/**
 * Some values end the process of Codex with an error, although a thread may have them.
 * Source: codex 0.142.0, 0.153.4, 0.169.0 and 0.171.0, in runs. From 0.153.4 on (and some releases before) `approval_policy = "untrusted"` is
 * refused in config.toml, by `-c` and in `config` of `thread/start`, but its argument `approvalPolicy` accepts it. `profile` is refused everywhere;
 * the provider `oss` is called `ollama`.
 * @param home whether Codex has the same config.toml: it runs on this machine
 */
export const codexSettings = (deps: ConfigDeps, home: 'same' | 'other'): CodexSettings => {
  const flags = flagLayer({ ...deps, model: undefined });
  const own = toTable(flags);
  const file = home === 'same' ? fileIfReadable(deps) : {};
  const isUntrusted = (own.approval_policy ?? file.approval_policy) === UNTRUSTED;
  const ofThread = Object.entries(own).filter(([key]) => OF_THREAD.includes(key));
  const { policy, mode } = ceilingOfServer(deps);
  const profile = deps.profile ?? (typeof own.profile === 'string' ? own.profile : undefined);
  return {
    overrides: [
      ...flags.flatMap((flag, at) => toOverride(flag, deps.overrides[at] as string, { own, file })),
      ...(isUntrusted ? [ASKS] : []),
    ],
    config: { ...Object.fromEntries(ofThread), ...(isUntrusted && { approval_policy: UNTRUSTED }) } as JsonObject,
    ...(profile !== undefined && { profile }),
    ...(policy !== undefined && { policy }),
    ...(mode !== undefined && { mode }),
  };
};

const UNTRUSTED = 'untrusted' satisfies ApprovalPolicy;

/** The value for the process, which hides the value of config.toml; each thread gets the real value as its argument. */
const ASKS = 'approval_policy="on-request"';

type Tables = { own: Table; file: JsonObject };

/** None if the value goes another way. */
const toOverride = ({ path, value }: Setting, override: string, { own, file }: Tables): string[] => {
  const [key] = path as [string];
  if (OURS.includes(key) || OF_THREAD.includes(key) || key === 'profile') return [];
  if (key === 'approval_policy' && value === UNTRUSTED) return [];
  if (key === 'model_provider' && value === 'oss' && !isDefined(own, file)) return ['model_provider="ollama"'];
  return [typeof value === 'string' && isText(path) ? `${path.join('.')}=${JSON.stringify(value)}` : override];
};

const isDefined = (own: Table, { model_providers }: JsonObject): boolean =>
  getIn(own, ['model_providers', 'oss']) !== undefined || Object.hasOwn(Object(model_providers), 'oss');

/** What names a sandbox; any of them takes the place of the permission profile. */
const SANDBOXES = ['sandbox_mode', 'default_permissions', 'permissions'];

/**
 * Throws ConfigError for a call that would lift a permission profile of the operator's own: a thread that names a sandbox is started without it.
 * Source: codex 0.171.0, in runs. A sandbox on the command line lifts it for all threads, and is the word of the operator.
 */
export const keepPermissions = (deps: ConfigDeps, { sandbox, config = {} }: ThreadSettings): void => {
  const { mode } = ceilingOfServer(deps);
  const name = { ...fileIfReadable(deps), ...toTable(flagLayer(deps)) }.default_permissions;
  if (deps.limits?.allowCallOverride || mode !== undefined || typeof name !== 'string' || name.startsWith(':')) return;
  const named = leavesOf(config).find(({ path: [key = ''] }) => SANDBOXES.includes(key));
  if (sandbox === undefined && named === undefined) return;
  const what = sandbox === undefined ? `argument config, key ${named?.path[0]}` : 'argument sandbox';
  throw new ConfigError(
    `${what}: a call may not name a sandbox, because that lifts the permission profile ${name} of config.toml; leave it out, or start the server with --allow-call-override`,
  );
};

/** The bounds of a thread with these settings. @param profile the keys of the profile that it names */
export const boundsOfThread = (deps: ConfigDeps, settings: ThreadSettings, profile?: JsonObject): Bounds =>
  boundsOf(deps, { file: fileIfReadable(deps), profile }, settings);

/** Codex reports its faults. */
const fileIfReadable = (deps: ConfigDeps): JsonObject =>
  tried(() => fileTable(deps, configFile(deps.codexHome))).value ?? {};
