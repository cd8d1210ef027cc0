/** The Config that a thread runs under. */
import type { ApprovalPolicy, SandboxMode } from '../protocol/codex/settings';
import type { Provider } from '../protocol/model/provider';

/** How much a model reasons. Source: Codex 0.28.0; `xhigh`: config files of later releases. */
export const REASONING_EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed', 'none'] as const;
export const VERBOSITIES = ['low', 'medium', 'high'] as const;
export const HISTORY_PERSISTENCES = ['save-all', 'none'] as const;
export const AUTH_METHODS = ['chatgpt', 'apikey'] as const;
export const TRUST_LEVELS = ['trusted', 'untrusted'] as const;
export const WEB_SEARCHES = ['disabled', 'cached', 'live'] as const;
export const INHERITS = ['all', 'core', 'none'] as const;

/**
 * All settings of one thread: made once, deeply frozen. `environmentId` names the machine it works on, `cwd` is an absolute path there; on
 * another machine it may be relative to the folder of its executor until the thread begins. `sealed`: what a person approves runs in the
 * sandbox too. `autoCompactTokenLimit`: tokens of the context above which the conversation is compacted. `notify`: the program that is run
 * at the end of a turn, with its first arguments. `history`: whether the prompts are kept in history.jsonl, and how large it may become, in
 * bytes. `tools`: which of the tools of the model's server and of ours are offered. `warnings`: what in the configuration is not used as it
 * is written, a line each.
 */
export type Config = {
  model: string;
  provider: Provider;
  approvalPolicy: ApprovalPolicy;
  sandboxMode: SandboxMode;
  workspaceWrite: WorkspaceWrite;
  sealed: boolean;
  environmentId: string;
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
  maxOutputTokens?: number;
  autoCompactTokenLimit?: number;
  disableResponseStorage: boolean;
  showRawReasoning: boolean;
  projectDocMaxBytes: number;
  shellEnvironment: ShellEnvironment;
  mcpServers: Record<string, McpServer>;
  notify?: string[];
  history: { persistence: (typeof HISTORY_PERSISTENCES)[number]; maxBytes?: number };
  tools: { webSearch: boolean; viewImage: boolean };
  preferredAuthMethod: (typeof AUTH_METHODS)[number];
  warnings: string[];
};

/**
 * What commands may do in the mode workspace-write besides writing to `cwd`. `writableRoots` are absolute.
 * Source: Codex 0.28.0 `sandbox_workspace_write`.
 */
export type WorkspaceWrite = {
  writableRoots: string[];
  networkAccess: boolean;
  excludeTmpdirEnvVar: boolean;
  excludeSlashTmp: boolean;
};

/**
 * Which environment variables commands see. Patterns know `*` and `?`, match whole names and ignore case.
 * Source: Codex 0.28.0 `shell_environment_policy`.
 */
export type ShellEnvironment = {
  inherit: (typeof INHERITS)[number];
  ignoreDefaultExcludes: boolean;
  exclude: string[];
  set: Record<string, string>;
  includeOnly: string[];
};

/**
 * An MCP server whose tools the model may call. It is started by `command`, or reached at `url` where there is none, with these headers and those
 * from environment variables.
 * `environmentId` names the environment it runs in. The model is offered the tools in `enabledTools` (all of them where
 * it is absent) except those in `disabledTools`.
 */
export type McpServer = {
  command?: string;
  url?: string;
  bearerTokenEnvVar?: string;
  httpHeaders: Record<string, string>;
  envHttpHeaders: Record<string, string>;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  environmentId: string;
  startTimeoutMs: number;
  toolTimeoutMs: number;
  enabledTools?: string[];
  disabledTools: string[];
};
