/** The port to the machine behind the Codex methods. */
import type { Observable } from 'rxjs';
import type { ApprovalPolicy, SandboxMode, ThreadSettings } from '../codex/settings';
import type { JsonObject } from '../jsonrpc/json';

/** How a process ended: its exit code, and its output, which is cut at the limit of the run. */
export type ProcessEnd = { exitCode: number; stdout: string; stderr: string; isCut: boolean };

/** A conversation on disk; times in ms since 1970, members that the rollout does not name are ''. */
export type StoredConversation = {
  id: string;
  path: string;
  /** The beginning of the first prompt. */
  preview: string;
  /** What a person calls it; absent if nobody has named it. */
  name?: string;
  startedMs: number;
  writtenMs: number;
  provider: string;
  cwd: string;
  cliVersion: string;
  source: string;
};

/** A command that a client asks for; absent settings are as configured. */
export type OneOffCommand = { argv: readonly string[]; timeoutMs: number; settings: ThreadSettings };

type AccountHost = {
  /** How requests of models are paid for, with the key or token and the mail address of the login; empty without a login. */
  current: () => { method?: 'apikey' | 'chatgpt'; token?: string; email?: string };
  /** The method that the configuration prefers. */
  preferred: () => 'apikey' | 'chatgpt';
  /** Refreshes the token; emits once and never errors. */
  refresh$: Observable<unknown>;
  /** Removes the login. Errors with HostError. */
  logout$: Observable<unknown>;
  /** Emits the address at which to log in, then that the login is done; unsubscribing cancels it. Errors with HostError. */
  login$: Observable<{ kind: 'waiting'; url: string } | { kind: 'loggedIn' }>;
};

/** A server of models that a client brings, with the headers that it wants. */
export type Gateway = { name: string; url: string; headers: Readonly<Record<string, string>> };

/** Where a session is to work, and with what. */
export type SessionRequest = {
  /** The stored thread that it continues; a new thread if absent. */
  id?: string;
  /** Its folder; absolute. */
  cwd: string;
  /** Further folders in which it may write; absolute. */
  folders: readonly string[];
  /** Tables of MCP servers for it, by their names. */
  servers: Readonly<Record<string, JsonObject>>;
  /** What answers instead of the configured provider. */
  gateway?: Gateway;
  /** Text for the model that follows the instructions of the configuration. */
  instructions?: string;
};

/** A prompt that a person keeps in a file, and calls by its name. */
export type CustomPrompt = { name: string; description: string; hint?: string; text: string };

/** Instructions for one kind of task, in a file that the agent reads when it needs them. */
export type Skill = { name: string; description: string; path: string };

/** What a session would run under. */
export type SessionFacts = {
  /** No model can be asked before someone has logged in. */
  needsLogin: boolean;
  /** What a new thread begins with, and what each turn of the session sets. */
  settings: Pick<ThreadSettings, 'cwd' | 'config' | 'includePlanTool' | 'developerInstructions'>;
  cwd: string;
  model: string;
  /** The models that config.toml and its profiles name. */
  models: readonly string[];
  effort: string;
  approvalPolicy: ApprovalPolicy;
  sandboxMode: SandboxMode;
  /** What the operator allows. */
  policies: readonly ApprovalPolicy[];
  sandboxModes: readonly SandboxMode[];
  /** The names of the MCP servers. */
  servers: readonly string[];
  prompts: readonly CustomPrompt[];
  skills: readonly Skill[];
  /** The lines of the rollout of the stored thread; none of a new one. */
  rollout: readonly JsonObject[];
};

/** The threads of a client that opens and closes them. All streams error with HostError or ConfigError. */
export type SessionHost = {
  /** Emits once; null if there is no such thread. */
  find: (asked: SessionRequest) => Observable<SessionFacts | null>;
  /** Makes a thread with the past of the stored one, unless a login is needed first. Emits what it would run under; null if there is no such thread. */
  fork: (asked: SessionRequest & { id: string }) => Observable<{ id: string; facts: SessionFacts } | null>;
  /** Emits once: whether there is a stored thread of this id. */
  has: (id: string) => Observable<boolean>;
  /** Names a thread, whether or not it is stored already. Emits once. */
  rename: (id: string, name: string) => Observable<unknown>;
  /** Archives a stored thread that is not open, or brings it back. Emits once, also if nothing changes; null if there is no such thread. */
  setArchived: (id: string, archived: boolean) => Observable<unknown>;
  /** Removes a stored thread that is not open. Emits once, also if there is none. */
  remove: (id: string) => Observable<unknown>;
};

/** What the Codex methods need of this machine. Each member acts when it is called or subscribed; all streams but `files` error with HostError. */
export type CodexHost = {
  /** config.toml as plain data. Throws ConfigError if the configuration is wrong. */
  savedConfig: () => JsonObject;
  /** The absolute path of a folder in which a thread may work. Throws ConfigError if the configuration forbids it. */
  folder: (path: string) => string;
  /** Runs a git command that only reads; nothing runs that a repository names. */
  git: (folder: string, args: readonly string[]) => Observable<ProcessEnd>;
  /** Runs a command in the sandbox of its settings. */
  runOneOff: (command: OneOffCommand) => Observable<ProcessEnd>;
  /** The paths of the files below a folder, relative, with slashes, in batches, without what `.gitignore` excludes. */
  files: (folder: string) => Observable<readonly string[]>;
  /** The login. */
  account: AccountHost;
  /** Newest first, at most `limit`: the newest, or the conversations that come after the path `after`; the archived ones only if asked for. */
  listStored: (page: {
    after?: string;
    limit: number;
    archived?: boolean;
  }) => Observable<readonly StoredConversation[]>;
  /** The conversation of an id or of a rollout. */
  findStored: (named: { id?: string; path?: string }) => Observable<FoundConversation>;
  /** What a conversation says, without secrets. */
  readStored: (id: string) => Observable<StoredTexts>;
  /** Archives a conversation that is not open. */
  archiveStored: (id: string) => Observable<unknown>;
  /** The names of the tapes that are offered to clients, the newest first. */
  listTapes: () => Observable<readonly string[]>;
  /** A tape of this name as text, without secrets; of a long one the beginning. */
  readTape: (name: string) => Observable<string>;
  /** The threads of a client that opens and closes them. */
  sessions: SessionHost;
};

/** The conversation, with the model of its last turn, '' if its rollout names none. */
export type FoundConversation = { id: string; path: string; model: string };

/** A conversation as texts: the whole of it as Markdown, the last answer, the patches. */
type StoredTexts = { transcript: string; answer: string; diff: string };

/** Something cannot be done on this machine; the message says why, and what helps. */
export class HostError extends Error {
  override name = 'HostError';
}
