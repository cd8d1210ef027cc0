/** The port to the machine behind the Codex methods. */
import type { Observable } from 'rxjs';
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { APPROVAL_POLICIES, SANDBOX_MODES, type ThreadSettings } from '../codex/settings';
import type { JsonObject } from '../jsonrpc/json';

/** How a process ended: its exit code, and its output, which is cut at the limit of the run. */
export type ProcessEnd = { exitCode: number; stdout: string; stderr: string; isCut: boolean };

/** A conversation on disk; times in ms since 1970, members that the rollout does not name are ''. */
export type StoredConversation = {
  id: string;
  path: string;
  preview: string;
  startedMs: number;
  writtenMs: number;
  provider: string;
  cwd: string;
  cliVersion: string;
  source: string;
};

/** A command that a client asks for; absent settings are as configured. */
export type OneOffCommand = { argv: readonly string[]; timeoutMs: number; settings: ThreadSettings };

/**
 * `current`: how requests of models are paid for, with the key or token, and the mail address that the login names; empty without a
 * login. `preferred` of the configuration. `refresh$` refreshes the token; it emits once and never errors. `logout$` removes the
 * login. `login$` emits where to log in, then that it is done; unsubscribing cancels it. Both error with HostError.
 */
export type AccountHost = {
  current: () => { method?: 'apikey' | 'chatgpt'; token?: string; email?: string };
  preferred: () => 'apikey' | 'chatgpt';
  refresh$: Observable<unknown>;
  logout$: Observable<unknown>;
  login$: Observable<{ kind: 'waiting'; url: string } | { kind: 'loggedIn' }>;
};

/**
 * What the Codex methods need of this machine; each member acts when it is called or subscribed. `savedConfig`: config.toml as plain data.
 * `folder`: the absolute path of a folder in which a thread may work. `git`: a git command that only reads, where nothing runs that a
 * repository names. `runOneOff`: a command in the sandbox of its settings. `files`: the paths of the files below a folder,
 * relative, with slashes, in batches, without what `.gitignore` leaves out. `account`: the login. `listStored`: newest first, at most `limit`
 * after the `skip` newest. `findStored`: the conversation of an id or of a rollout. `archiveStored`: one that is not open. The first two
 * throw ConfigError if the configuration is wrong or forbids it; all streams but `files` error with HostError.
 */
export type CodexHost = {
  savedConfig: () => JsonObject;
  folder: (path: string) => string;
  git: (folder: string, args: readonly string[]) => Observable<ProcessEnd>;
  runOneOff: (command: OneOffCommand) => Observable<ProcessEnd>;
  files: (folder: string) => Observable<readonly string[]>;
  account: AccountHost;
  listStored: (page: { skip: number; limit: number }) => Observable<readonly StoredConversation[]>;
  findStored: (named: { id?: string; path?: string }) => Observable<FoundConversation>;
  archiveStored: (id: string) => Observable<unknown>;
};

/** The conversation, with the model of its last turn, '' where its rollout names none. */
export type FoundConversation = { id: string; path: string; model: string };

/** Something cannot be done on this machine; the message says why, and what helps. */
export class HostError extends Error {
  override name = 'HostError';
}

/** Source: the app-server protocol of the releases after 0.28.0. */
export const ListConversationsParams = lazy(() =>
  z.object({
    pageSize: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'must be a cursor that this server gave'))),
    modelProviders: z.optional(z.array(z.string())),
  }),
);

/** A resumed conversation keeps its own settings, except for these. */
const overrides = () =>
  z.strictObject({
    model: z.optional(z.string()),
    cwd: z.optional(z.string()),
    approvalPolicy: z.optional(z.enum(APPROVAL_POLICIES)),
    sandbox: z.optional(z.enum(SANDBOX_MODES)),
  });

/** The conversation is named by its id or by its rollout. Source: the app-server protocol of the releases after 0.28.0. */
export const ResumeConversationParams = lazy(() =>
  z.object({
    conversationId: z.optional(z.string()),
    path: z.optional(z.string()),
    overrides: z.optional(overrides()),
  }),
);

/** The params of archiveConversation. */
export const ArchiveConversationParams = lazy(() =>
  z.object({ conversationId: z.string(), rolloutPath: z.optional(z.string()) }),
);
