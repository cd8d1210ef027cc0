/** The Config that a thread runs under. */
import type { ApprovalPolicy, SandboxMode, SettingName, ThreadSettings } from '../protocol/codex/settings';
import type { WorkspaceWrite } from '../protocol/codex/turnSettings';
import type { EnvPolicy } from '../protocol/exec/process';
import type { Provider } from '../protocol/model/provider';

/** How much a model reasons. Source: Codex 0.28.0; `none`, and from `xhigh` on: 0.171.0, in runs and `codex debug models` */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'] as const;
/** What is shown of the model's reasoning. */
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed', 'none'] as const;
/** How long the model's answers are. */
export const VERBOSITIES = ['low', 'medium', 'high'] as const;
/** Which prompts are kept in history.jsonl. */
export const HISTORY_PERSISTENCES = ['save-all', 'none'] as const;
/** The kinds of stored credentials. */
export const AUTH_METHODS = ['chatgpt', 'apikey'] as const;
/** How much a folder is trusted. */
export const TRUST_LEVELS = ['trusted', 'untrusted'] as const;
/** How the model may search the web. */
export const WEB_SEARCHES = ['disabled', 'cached', 'live'] as const;
/** When a person is asked about a tool of an MCP server. Source: Codex 0.171.0. */
export const APPROVAL_MODES = ['auto', 'writes', 'prompt', 'approve'] as const;
/** Which variables a command inherits before patterns apply. */
export const INHERITS = ['all', 'core', 'none'] as const;

/** The settings that have a form of their own in Config; all others are there under the name of their row. */
export const RESOLVED = [
  'model',
  'effort',
  'summary',
  'profile',
  'cwd',
  'approvalPolicy',
  'sandbox',
  'config',
  'baseInstructions',
] as const satisfies readonly SettingName[];

/** The settings that go into Config as they are: the argument of the call, else the key of config.toml. */
export type PlainSettings = Omit<ThreadSettings, (typeof RESOLVED)[number]>;

/** All settings of one thread: made once, deeply frozen. */
export type Config = PlainSettings & {
  /** The name of the model. */
  model: string;
  /** The server of the model. */
  provider: Provider;
  /** When a person is asked, below the ceiling of the operator. */
  approvalPolicy: ApprovalPolicy;
  /** What commands may write to, below the ceiling of the operator. */
  sandboxMode: SandboxMode;
  /** What commands may do in the mode workspace-write. */
  workspaceWrite: WorkspaceWrite;
  /** Whether what a person approves runs in the sandbox too. */
  alwaysSandboxed: boolean;
  /** The machine that the thread works on. */
  environmentId: string;
  /** An absolute path there; on another machine it may be relative to the folder of its executor until the thread begins. */
  cwd: string;
  /** Where `cwd` and the writable roots led when the call was made, links resolved, by their paths. Empty for another machine, which resolves them itself. */
  folders: Readonly<Record<string, string>>;
  /** The instructions in place of the built-in ones. */
  baseInstructions?: string;
  /** Whether the model is offered the tool `update_plan`; false by default. */
  includePlanTool: boolean;
  /** How much the model reasons. */
  reasoningEffort: (typeof REASONING_EFFORTS)[number];
  /** What is shown of its reasoning. */
  reasoningSummary: (typeof REASONING_SUMMARIES)[number];
  /** Whether a request to the model may have the field `reasoning`. */
  supportsReasoningSummaries: boolean;
  /** How long its answers are; absent for a model that has no such choice. */
  verbosity?: (typeof VERBOSITIES)[number];
  /** Tokens that the model can hold; null if unknown. */
  contextWindow: number | null;
  /** The most tokens of one answer. */
  maxOutputTokens?: number;
  /** Tokens of the context above which the conversation is compacted. */
  autoCompactTokenLimit?: number;
  /** How fast the provider answers, in its own word; absent for its default. */
  serviceTier?: string;
  /** Whether the provider is asked to store nothing. */
  disableResponseStorage: boolean;
  /** Whether raw reasoning is sent to the client. */
  showRawReasoning: boolean;
  /** The most bytes that are taken from the AGENTS.md files of a project. */
  projectDocMaxBytes: number;
  /** Names of files with instructions, for folders without an AGENTS.md. */
  projectDocFallbacks?: string[];
  /** A folder with any of these is the root of a project; `.git` if absent. */
  projectRootMarkers?: string[];
  /** Which environment variables commands see. */
  shellEnvironment: EnvPolicy;
  /** The MCP servers whose tools the model may call, by name. */
  mcpServers: Record<string, McpServer>;
  /** The program that is run at the end of a turn, with its first arguments. */
  notify?: string[];
  /** Whether the prompts are kept in history.jsonl, and the most bytes of that file. */
  history: { persistence: (typeof HISTORY_PERSISTENCES)[number]; maxBytes?: number };
  /** Which tools of the model's server, and of ours, are offered. */
  tools: { webSearch: boolean; viewImage: boolean };
  /** Which of two stored credentials is used. */
  preferredAuthMethod: (typeof AUTH_METHODS)[number];
  /** The user's rules for commands; absent if there are none. */
  rules?: Rules;
  /** Paths that the user's permission profile protects, also inside the writable roots; absent if there are none. */
  protectedPaths?: ProtectedPaths;
  /** What in the configuration is not used as it is written, a line each. */
  warnings: string[];
  /** Limits that the native engine cannot keep, so that it starts no thread; absent if there are none. */
  unkept?: readonly string[];
};

/** An MCP server whose tools the model may call: a command that is started, or else an address. */
export type McpServer = {
  /** The program that is started. */
  command?: string;
  /** The address of a server that has no `command`. */
  url?: string;
  /** The environment variable with the token for `url`. */
  bearerTokenEnvVar?: string;
  /** Headers of each request to `url`. */
  httpHeaders: Record<string, string>;
  /** More such headers: names of environment variables with their values. */
  envHttpHeaders: Record<string, string>;
  /** The arguments of `command`. */
  args: string[];
  /** Environment variables of `command`. */
  env: Record<string, string>;
  /** Names of variables of this process that `command` gets too. */
  envVars?: string[];
  /** The folder of `command`; the folder of the thread by default. */
  cwd?: string;
  /** The environment that it runs in. */
  environmentId: string;
  /** How long its start may take, in ms. */
  startTimeoutMs: number;
  /** How long a call may take, in ms. */
  toolTimeoutMs: number;
  /** The only tools that the model is offered; all if absent. */
  enabledTools?: string[];
  /** Tools that the model is not offered. */
  disabledTools: string[];
  /** When a person is asked about a tool; absent if the policy alone decides. */
  approval?: ToolApproval;
};

/** When a person is asked about the tools of a server. */
export type ToolApproval = {
  /** For tools without a mode of their own. */
  default?: ApprovalMode;
  /** By the name of a tool. */
  tools: Readonly<Record<string, ApprovalMode>>;
};

/** One of these modes. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/** What a rule decides, from the loosest to the strictest. */
export const RULE_DECISIONS = ['allow', 'prompt', 'forbidden'] as const;
/** One of these decisions. */
export type RuleDecision = (typeof RULE_DECISIONS)[number];

/** A rule for the commands that begin with certain words. */
export type PrefixRule = {
  /** The words, each with its alternatives. */
  pattern: readonly (readonly string[])[];
  decision: RuleDecision;
  /** Why there is this rule, in the words of its author. */
  justification?: string;
  /** The file and line. */
  where: string;
};

/** The rules of a thread. */
export type Rules = {
  prefixes: readonly PrefixRule[];
  /** The paths at which the rules mean a program of this name. */
  programs: Readonly<Record<string, readonly string[]>>;
  /** The root of the project if the user trusts it, without links. */
  repository?: string;
};

/** Paths that stay protected inside the writable roots too. Absolute, with links or without; they need not exist. */
export type ProtectedPaths = {
  /** Nothing at and below them is read. */
  denied: readonly string[];
  /** Nothing at and below them is written, except in writable roots below them. */
  readOnly: readonly string[];
};
