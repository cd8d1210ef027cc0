/** The Codex methods that answer when they are done, by name. */
import { concat, defer, EMPTY, map, type Observable, of, takeUntil, tap, throwError } from 'rxjs';
import type { MachineMethod } from '../../protocol/codex/methodNames';
import { toSandboxPolicy } from '../../protocol/codex/sandboxPolicy';
import { withTurnSettings } from '../../protocol/codex/turnSettings';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type Notification, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import type { CodexHost, StoredConversation } from '../../protocol/methods/host';
import {
  ArchiveConversationParams,
  ListConversationsParams,
  OneOffCommandParams,
} from '../../protocol/methods/methodParams';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import { methodTable, router, serve } from '../../protocol/rpc/router';
import { lazy } from '../../streams/lazy';
import { badMachine, badRequest, type CodexMethod, readParams, withFaults } from '../method';
import { getAuthStatus, logins, logoutChatGpt, userInfo } from './account';
import { fuzzyFileSearch } from './fuzzyFileSearch';
import { gitDiffToRemote } from './gitDiffToRemote';

type CodexMethodsDeps = {
  /** Called by the first request. If it throws, that request fails. */
  host: () => CodexHost;
  log: Log;
  /** Makes ids of logins. */
  newId: () => string;
  /** Notifications are sent under their later names too. */
  extended: boolean;
  /** Ids of requests as the client cancels them. */
  cancelled$: Observable<Request['id']>;
  /** Emits at the end of the connection. */
  end$: Observable<unknown>;
};

/**
 * Answers requests in parallel, each when its method is done; a cancelled request gets no response. At the end of the connection running methods are
 * stopped, and answered with an error.
 *   request  a-b------        request  a--
 *   out      ---B---A-        end      -z-
 *                             out      -E-    (E an error)
 */
export const codexMethods = ({ host, log, cancelled$, end$, ...own }: CodexMethodsDeps) => {
  const methodOf = lazy(() => methodsOf({ host: host(), ...own }));
  const ending = (name: string): CodexMethod | undefined => {
    const method = methodOf()(name);
    return (
      method &&
      ((request) =>
        untilEnd(
          end$,
          defer(() => method(request)),
        ))
    );
  };
  return serve({ route: router<Request, Notification>({ methodOf: ending, log }), cancelled$ });
};

const methodsOf = ({ host, ...own }: Pick<CodexMethodsDeps, 'newId' | 'extended'> & { host: CodexHost }) => {
  const { loginChatGpt, cancelLoginChatGpt, cancelLogins } = logins({ account: host.account, ...own });
  const methods: Record<MachineMethod, CodexMethod> = {
    getConfigToml: getConfigToml(host),
    getUserSavedConfig: getUserSavedConfig(host),
    gitDiffToRemote: gitDiffToRemote(host),
    execOneOffCommand: execOneOffCommand(host),
    fuzzyFileSearch: fuzzyFileSearch(host),
    userInfo: userInfo(host),
    getAuthStatus: getAuthStatus(host),
    logoutChatGpt: logoutChatGpt({ account: host.account, extended: own.extended, cancelLogins }),
    loginChatGpt,
    cancelLoginChatGpt,
    listConversations: listConversations(host),
    archiveConversation: archiveConversation(host),
  };
  return methodTable(methods);
};

const ENDED = 'The server ended before this request was done.';

const untilEnd = (
  end$: Observable<unknown>,
  message$: Observable<Result | Notification>,
): Observable<Result | Notification> =>
  defer(() => {
    let isDone = false; // answered, or completed
    const late$ = defer(() => (isDone ? EMPTY : throwError(() => new RpcError(INTERNAL_ERROR, ENDED))));
    const done = (): void => {
      isDone = true;
    };
    const watched$ = message$.pipe(
      tap({ next: ({ kind }) => kind === 'result' && done(), complete: done }),
      takeUntil(end$),
    );
    return concat(watched$, late$);
  });

/** Source: Codex 0.28.0, CORE 6.2, for commands of a model. */
const TIMEOUT_MS = 10_000;

/**
 * Runs a command in the sandbox of `sandboxPolicy`, or as configured, within the ceiling of the operator. Nobody is asked, and nothing leads out of the
 * sandbox. A cancelled request ends the command and all its processes.
 * Source: the app-server protocol of the releases after 0.28.0.
 */
export const execOneOffCommand =
  ({ runOneOff }: Pick<CodexHost, 'runOneOff'>): CodexMethod =>
  (request) => {
    const { command, timeoutMs = TIMEOUT_MS, cwd, sandboxPolicy } = readParams(OneOffCommandParams(), request);
    const settings = withTurnSettings({}, { cwd, sandbox: sandboxPolicy && toSandboxPolicy(sandboxPolicy) });
    return withFaults(badRequest('the command cannot run: '), () =>
      runOneOff({ argv: command, timeoutMs, settings }).pipe(
        map(({ exitCode, stdout, stderr }) => toResult({ exitCode, stdout, stderr })),
      ),
    );
  };

/** Source: the app-server protocol of the releases after 0.28.0. */
const PAGE = 25;

/** A page of conversations, newest first; the cursor is the path of the last one before it. Source: as PAGE. */
export const listConversations =
  ({ listStored }: Pick<CodexHost, 'listStored'>): CodexMethod =>
  (request) => {
    const { pageSize = PAGE, cursor, modelProviders } = readParams(ListConversationsParams(), request);
    const isOfProvider = ({ provider }: StoredConversation) =>
      !modelProviders?.length || modelProviders.includes(provider);
    return withFaults(badRequest('the conversations cannot be listed: '), () =>
      listStored({ ...(cursor !== undefined && { after: cursor }), limit: pageSize + 1 }).pipe(
        map((all) => {
          const page = all.slice(0, pageSize);
          const nextCursor = all.length > pageSize ? page.at(-1)?.path : null;
          return toResult({ items: page.filter(isOfProvider).map(toItem), nextCursor });
        }),
      ),
    );
  };

const toItem = (stored: StoredConversation) => ({
  conversationId: stored.id,
  path: stored.path,
  preview: stored.preview,
  timestamp: new Date(stored.startedMs).toISOString(),
  updatedAt: new Date(stored.writtenMs).toISOString(),
  modelProvider: stored.provider,
  cwd: stored.cwd,
  cliVersion: stored.cliVersion,
  source: stored.source,
  gitInfo: null,
});

/** Archives a conversation. If it is open, here or elsewhere, it is not archived, and the error names who has it. */
export const archiveConversation =
  ({ archiveStored }: Pick<CodexHost, 'archiveStored'>): CodexMethod =>
  (request) => {
    const { conversationId } = readParams(ArchiveConversationParams(), request);
    return withFaults(badRequest('failed to archive conversation: '), () =>
      defer(() => archiveStored(conversationId)).pipe(map(() => toResult({}))),
    );
  };

type ConfigHost = Pick<CodexHost, 'savedConfig'>;

/** Only the members that are named here leave: the file may hold secrets. Source: Codex 0.28.0, tapes rpc-config-toml*. */
export const getConfigToml =
  ({ savedConfig }: ConfigHost): CodexMethod =>
  () =>
    withFaults(badMachine('failed to load config.toml: '), () => of(toResult(toConfigToml(savedConfig()))));

/** Source: the app-server protocol of the releases after 0.28.0. */
export const getUserSavedConfig =
  ({ savedConfig }: ConfigHost): CodexMethod =>
  () =>
    withFaults(badMachine('failed to load config.toml: '), () =>
      of(toResult({ config: toSavedConfig(savedConfig()) })),
    );

const TOP = {
  approvalPolicy: 'approval_policy',
  sandboxMode: 'sandbox_mode',
  modelReasoningEffort: 'model_reasoning_effort',
};

const toConfigToml = (saved: JsonObject): JsonObject => ({
  ...given(saved, TOP),
  ...given(saved, { profile: 'profile' }),
  profiles: profilesOf(saved, (profile) => ({
    model: profile.model ?? null,
    approvalPolicy: profile.approval_policy ?? null,
    modelReasoningEffort: profile.model_reasoning_effort ?? null,
  })),
});

const MODEL = {
  model: 'model',
  modelReasoningEffort: 'model_reasoning_effort',
  modelReasoningSummary: 'model_reasoning_summary',
  modelVerbosity: 'model_verbosity',
};

const SANDBOX = {
  writableRoots: 'writable_roots',
  networkAccess: 'network_access',
  excludeTmpdirEnvVar: 'exclude_tmpdir_env_var',
  excludeSlashTmp: 'exclude_slash_tmp',
};

const toSavedConfig = (saved: JsonObject): JsonObject => ({
  ...given(saved, { approvalPolicy: 'approval_policy', sandboxMode: 'sandbox_mode' }),
  ...(isObject(saved.sandbox_workspace_write) && { sandboxSettings: given(saved.sandbox_workspace_write, SANDBOX) }),
  ...given(saved, MODEL),
  ...(isObject(saved.tools) && { tools: given(saved.tools, { webSearch: 'web_search', viewImage: 'view_image' }) }),
  ...given(saved, { profile: 'profile' }),
  profiles: profilesOf(saved, (profile) => given(profile, { ...MODEL, ...PROVIDER })),
});

const PROVIDER = { modelProvider: 'model_provider', approvalPolicy: 'approval_policy' };

const given = (table: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([, key]) => table[key] !== undefined)
      .map(([name, key]) => [name, table[key]]),
  );

const profilesOf = ({ profiles }: JsonObject, show: (profile: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(profiles) ? profiles : {}).map(([name, profile]) => [
      name,
      show(isObject(profile) ? profile : {}),
    ]),
  );
