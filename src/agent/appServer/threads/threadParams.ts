/** The params with which a thread is started and resumed. */
import { type ApprovalPolicy, fromRows, type SandboxMode, type ThreadSettings } from '../../../protocol/codex/settings';
import { type TurnSettings, withTurnSettings } from '../../../protocol/codex/turnSettings';
import { isObject, type JsonObject, toObject, withoutUndefined } from '../../../protocol/jsonrpc/json';
import { BOUND_KEYS } from '../../../settings/bounds';
import { modeBelow, policyBelow } from '../../../settings/limits/ceiling';

/** Returns the keys of a profile, as in config.toml. Throws ConfigError if there is no such profile. */
type ReadProfile = (name: string) => JsonObject;

type ParamDeps = {
  /** Keys that the operator set for each thread. */
  config?: JsonObject;
  /** The ceiling of the approval policy: no thread asks less often. */
  policy?: ApprovalPolicy;
  /** The ceiling of the sandbox: no thread may write to more. */
  mode?: SandboxMode;
  /** The flag `-m`. */
  model?: string;
  /** The flag `-p`. */
  profile?: string;
  /** The folder of a thread; undefined leaves it to the Codex server. */
  resolveCwd: (cwd: string | undefined) => string | undefined;
  /** Reads a profile. */
  readProfile: ReadProfile;
};

/** The policy below the ceiling. Newer servers have retired `on-failure`; its old meaning comes closest to on-request. */
export const policyOf = (
  policy: ApprovalPolicy | undefined,
  ceiling: ApprovalPolicy | undefined,
): ApprovalPolicy | undefined => {
  const limited = policy && policyBelow(policy, ceiling);
  return limited === 'on-failure' ? 'on-request' : limited;
};

/**
 * The params of `thread/start`, and the overrides of `thread/resume`: the call's arguments override the profile, which overrides the call's `config`,
 * which overrides the flags, as in the native engine. A profile that the call names decides the model even under `-m`.
 * Source: codex app-server 0.142.0 to 0.171.0, which refuse profiles themselves. Throws ConfigError.
 */
export const threadParams = (deps: ParamDeps, settings: ThreadSettings): JsonObject => {
  const { profile: _, environment_id: __, model: configModel, ...ofCall } = settings.config ?? {};
  const byCall = profileOfCall(settings);
  const named = byCall ?? deps.profile;
  const { model: profileModel, environment_id: ___, ...profile } = named ? deps.readProfile(named) : {};
  const { approval_policy, sandbox_mode, ...config }: JsonObject = withoutBounds({
    ...deps.config,
    ...ofCall,
    ...profile,
    ...withoutUndefined(keysOf(settings)),
  });
  const policy = settings.approvalPolicy ?? (approval_policy as ApprovalPolicy | undefined);
  const mode = settings.sandbox ?? (sandbox_mode as SandboxMode | undefined);
  const keepsModel = deps.model === undefined || byCall !== undefined;
  const model = settings.model ?? (keepsModel ? profileModel : undefined) ?? configModel ?? deps.model;
  return withoutUndefined({
    ...paramsOf(settings),
    model,
    cwd: deps.resolveCwd(settings.cwd),
    approvalPolicy: policyOf(policy, deps.policy),
    sandbox: mode && modeBelow(mode, deps.mode),
    config: Object.keys(config).length > 0 ? config : undefined,
  });
};

/** Bounds are kept here. */
const withoutBounds = (keys: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => !BOUND_KEYS.includes(key)));

/** What a call changes of a thread, as far as `turn/start` does not take it: only a thread that is loaded again gets that. */
export const changesOfThread = (lasting: TurnSettings = {}): TurnSettings => {
  const { model, effort, summary, cwd, approvalPolicy, sandbox, config, ...changes } = lasting;
  const { environment_id, ...keys } = config ?? {};
  return { ...changes, ...(Object.keys(keys).length > 0 && { config: keys }) };
};

/** Such changes of a thread whose other settings are not known here, after those of earlier calls. */
export const addedTo = (
  { settings, added = {} }: { settings?: ThreadSettings; added?: ThreadSettings },
  lasting: TurnSettings | undefined,
): { added?: ThreadSettings } => {
  const changed = withTurnSettings(added, changesOfThread(lasting));
  return settings === undefined && Object.keys(changed).length > 0 ? { added: changed } : {};
};

/**
 * The params of `thread/resume` for such changes of a thread whose other settings are not known here, and stay as they are.
 * @param paramsOf the params of settings; throws ConfigError
 */
export const addedParams = (
  { paramsOf }: { paramsOf: (settings: ThreadSettings) => JsonObject },
  changes: ThreadSettings | undefined,
): JsonObject => {
  if (changes === undefined) return {};
  const { model, cwd, approvalPolicy, sandbox, ...added } = changedMembers(paramsOf({}), paramsOf(changes));
  return added;
};

/** The members that differ from the ones before; of `config` the keys that do. */
export const changedMembers = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      if (JSON.stringify(value) === JSON.stringify(before[name])) return [];
      const keys = name === 'config' && isObject(value) ? changedMembers(toObject(before[name]), value) : value;
      return [[name, keys]];
    }),
  );

/** The settings that Codex takes as params. */
const paramsOf = (settings: ThreadSettings): JsonObject =>
  fromRows(({ appServer }, name) =>
    appServer !== null && appServer !== 'config' ? [appServer.param, settings[name]] : null,
  );

/** The settings that Codex takes as keys of `config`. */
const keysOf = (settings: ThreadSettings): JsonObject =>
  fromRows(({ appServer, key }, name) => (appServer === 'config' && key ? [key.name, settings[name]] : null));

/** The profile that a call names, by its argument or in its `config`; undefined if it names none. */
export const profileOfCall = ({ profile, config }: ThreadSettings): string | undefined =>
  profile ?? (typeof config?.profile === 'string' ? config.profile : undefined);
