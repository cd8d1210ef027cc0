/** Settings of a Codex thread, in Codex's own words. */
import { withoutUndefined } from '../jsonrpc/json';

/** When a person is asked before a command runs, from the most to the fewest questions. */
export const APPROVAL_POLICIES = ['untrusted', 'on-failure', 'on-request', 'never'] as const;
/** One of these policies. */
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** What commands may write to without asking: nothing, the workspace, everything. */
export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
/** One of these modes. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/**
 * Settings of a new thread as a caller may give them; an absent one is as configured. `effort` and `summary` of the model's reasoning are in
 * the words of config.toml.
 */
export type ThreadSettings = {
  model?: string;
  effort?: string;
  summary?: string;
  profile?: string;
  cwd?: string;
  approvalPolicy?: ApprovalPolicy;
  sandbox?: SandboxMode;
  config?: Record<string, unknown>;
  baseInstructions?: string;
  developerInstructions?: string;
  compactPrompt?: string;
  includePlanTool?: boolean;
};

/** What commands of a turn may touch. Absent members are as configured. Source: Codex 0.28.0 `sandbox_policy`. */
export type SandboxPolicy =
  | { mode: 'read-only' | 'danger-full-access' }
  | {
      mode: 'workspace-write';
      writableRoots?: readonly string[];
      networkAccess?: boolean;
      excludeTmpdirEnvVar?: boolean;
      excludeSlashTmp?: boolean;
    };

/** Settings that a turn may change; an absent one stays as the thread has it. Without `cwd`, another `environmentId` means its default folder. */
export type TurnSettings = {
  environmentId?: string;
  cwd?: string;
  model?: string;
  effort?: string;
  summary?: string;
  approvalPolicy?: ApprovalPolicy;
  sandbox?: SandboxPolicy;
};

/** The settings of a thread, overridden by those of a turn. */
export const withTurnSettings = (
  { cwd, ...thread }: ThreadSettings,
  { sandbox, environmentId, ...own }: TurnSettings,
): ThreadSettings => ({
  ...thread,
  ...(cwd !== undefined && environmentId === undefined && { cwd }),
  ...withoutUndefined(own),
  ...(sandbox && { sandbox: sandbox.mode }),
  ...((sandbox || environmentId !== undefined) && {
    config: {
      ...thread.config,
      ...(sandbox && toConfig(sandbox)),
      ...(environmentId !== undefined && { environment_id: environmentId }),
    },
  }),
});

/** The keys of config.toml that a sandbox policy sets. */
const toConfig = (policy: SandboxPolicy): Record<string, unknown> => {
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
