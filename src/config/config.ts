/** Owns the one frozen Config that a thread runs under. Reading, merging and checking live beside it. */
import type { ApprovalPolicy, Provider, SandboxMode } from '../protocol';

/** How hard a model thinks. `xhigh` is younger than Codex 0.28.0, whose newer config files hold it. */
export const REASONING_EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed', 'none'] as const;
export const VERBOSITIES = ['low', 'medium', 'high'] as const;
export const INHERITS = ['all', 'core', 'none'] as const;

/** Everything a thread needs to know; made once per thread, never changed. `cwd` is absolute. */
export type Config = {
  model: string;
  provider: Provider;
  approvalPolicy: ApprovalPolicy;
  sandboxMode: SandboxMode;
  cwd: string;
  baseInstructions?: string;
  developerInstructions?: string;
  compactPrompt?: string;
  includePlanTool: boolean;
  reasoningEffort: (typeof REASONING_EFFORTS)[number];
  reasoningSummary: (typeof REASONING_SUMMARIES)[number];
  supportsReasoningSummaries: boolean;
  verbosity?: (typeof VERBOSITIES)[number];
  contextWindow: number | null;
  disableResponseStorage: boolean;
  showRawReasoning: boolean;
  projectDocMaxBytes: number;
  shellEnvironment: ShellEnvironment;
  mcpServers: Record<string, McpServer>;
};

/** Which variables commands see. Patterns know `*` and `?`, match whole names, ignore case. Source: Codex 0.28.0 `shell_environment_policy`. */
export type ShellEnvironment = {
  inherit: (typeof INHERITS)[number];
  ignoreDefaultExcludes: boolean;
  exclude: string[];
  set: Record<string, string>;
  includeOnly: string[];
};

/**
 * A server whose tools the model may call; disabled ones are left out. Times in milliseconds. One without `command` is
 * reached by `url`. `environmentId` says where it runs. Of its tools those in
 * `enabledTools` are offered, less those in `disabledTools`.
 */
export type McpServer = {
  command?: string;
  url?: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  environmentId: string;
  startTimeoutMs: number;
  toolTimeoutMs: number;
  enabledTools?: string[];
  disabledTools: string[];
};

/** The configuration cannot be used; `message` says what is wrong and what is expected, with file and line where known. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
