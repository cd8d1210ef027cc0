/** Settings of a Codex thread, in Codex's own words. */

export const APPROVAL_POLICIES = ['untrusted', 'on-failure', 'on-request', 'never'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Settings of a new thread as a caller may give them; absent means: as configured. */
export type ThreadSettings = {
  model?: string;
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
