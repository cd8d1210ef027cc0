/** The params with which a thread is started and resumed. */

import type { ApprovalPolicy, SandboxMode, ThreadSettings } from '../../../protocol/codex/settings';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { withoutUndefined } from '../../../protocol/jsonrpc/json';
import { modeBelow, policyBelow } from '../../../settings/limits/ceiling';

/** Returns the keys of a profile, as in config.toml. Throws ConfigError if there is no such profile. */
export type ReadProfile = (name: string) => JsonObject;

/**
 * @param model, @param profile the flags `-m`, `-p`; @param resolveCwd the folder of a thread; undefined leaves it to the Codex server
 * @param config keys that the operator set for each thread; @param policy, @param mode the ceiling, above which no thread goes
 */
export type ParamDeps = {
  config?: JsonObject;
  policy?: ApprovalPolicy;
  mode?: SandboxMode;
  model?: string;
  profile?: string;
  resolveCwd: (cwd: string | undefined) => string | undefined;
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
  const { approval_policy, sandbox_mode, ...config }: JsonObject = {
    ...deps.config,
    ...ofCall,
    ...profile,
    ...(settings.effort !== undefined && { model_reasoning_effort: settings.effort }),
    ...(settings.summary !== undefined && { model_reasoning_summary: settings.summary }),
    ...(settings.compactPrompt !== undefined && { compact_prompt: settings.compactPrompt }),
  };
  const policy = settings.approvalPolicy ?? (approval_policy as ApprovalPolicy | undefined);
  const mode = settings.sandbox ?? (sandbox_mode as SandboxMode | undefined);
  const keepsModel = deps.model === undefined || byCall !== undefined;
  const model = settings.model ?? (keepsModel ? profileModel : undefined) ?? configModel ?? deps.model;
  return withoutUndefined({
    model,
    cwd: deps.resolveCwd(settings.cwd),
    approvalPolicy: policyOf(policy, deps.policy),
    sandbox: mode && modeBelow(mode, deps.mode),
    baseInstructions: settings.baseInstructions,
    developerInstructions: settings.developerInstructions,
    config: Object.keys(config).length > 0 ? config : undefined,
  });
};

/** The profile that a call names, by its argument or in its `config`; undefined where it names none. */
export const profileOfCall = ({ profile, config }: ThreadSettings): string | undefined =>
  profile ?? (typeof config?.profile === 'string' ? config.profile : undefined);
