/** The Codex methods that answer when they are done, by name. */
import { concat, concatMap, defer, EMPTY, from, map, type Observable, reduce, takeUntil, tap, throwError } from 'rxjs';
import { toSandboxPolicy } from '../../protocol/codex/sandboxPolicy';
import { withTurnSettings } from '../../protocol/codex/settings';
import { INTERNAL_ERROR, type Notification, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { type CodexHost, HostError, type ProcessEnd } from '../../protocol/methods/host';
import { GitDiffParams, OneOffCommandParams } from '../../protocol/methods/methodParams';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import { methodTable, router, serve } from '../../protocol/rpc/router';
import { lazy } from '../../streams/lazy';
import { mapInTurn } from '../../streams/scanInTurn';
import { archiveConversation, listConversations } from '../conversations/stored';
import { badRequest, type CodexMethod, readParams, withFaults } from '../method';
import { getAuthStatus, logoutChatGpt, userInfo } from './account/authStatus';
import { logins } from './account/login';
import { fuzzyFileSearch } from './workspace/fuzzyFileSearch';
import { getConfigToml, getUserSavedConfig } from './workspace/savedConfig';

/**
 * @param host is made by the first request; one that cannot be made fails its request
 * @param cancelled$ ids of requests as the client cancels them
 * @param newId makes ids of logins; @param extended notifications go under their later names too
 * @param end$ emits at the end of the connection
 */
export type CodexMethodsDeps = {
  host: () => CodexHost;
  log: Log;
  newId: () => string;
  extended: boolean;
  cancelled$: Observable<Request['id']>;
  end$: Observable<unknown>;
};

/**
 * Answers requests side by side, each when its method is done; a cancelled one not at all. At the end of the connection what runs is
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
  return methodTable<CodexMethod>({
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
  });
};

const ENDED = 'The server ended before this request was done.';

/** A method that has not answered by the end of the connection fails. */
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
 * Runs a command in the sandbox of `sandboxPolicy`, or as configured; the ceiling of the operator counts. Nobody is asked, and nothing
 * leads out of the sandbox. A cancelled request ends the command and all it started.
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

/** `gitDiffToRemote`: what the working tree has that no remote has. */
type GitHost = Pick<CodexHost, 'git' | 'folder'>;

/**
 * The newest commit of the current branch line that a remote has, and the diff from it to the working tree; untracked files
 * come last, one diff each. Source: Codex 0.28.0, WIRE 10.7.
 */
export const gitDiffToRemote =
  ({ git, folder }: GitHost): CodexMethod =>
  (request) => {
    const { cwd } = readParams(GitDiffParams(), request);
    const failure = `failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`;
    return withFaults(badRequest(`${failure}: `), () => {
      const run = runIn(git, folder(cwd));
      return commitOnRemote(run).pipe(
        concatMap((sha) => diffFrom(run, sha).pipe(map((diff) => toResult({ sha, diff })))),
      );
    });
  };

type Git = (args: readonly string[], codes?: readonly number[]) => Observable<string>;

/** The output of a git command; errors with HostError where it fails or has too much to say. */
const runIn =
  (git: CodexHost['git'], folder: string): Git =>
  (args, codes = [0]) =>
    git(folder, args).pipe(map((end) => outputOf(end, codes)));

const outputOf = ({ exitCode, stdout, stderr, isCut }: ProcessEnd, codes: readonly number[]): string => {
  if (isCut) throw new HostError('the diff is too large');
  if (!codes.includes(exitCode)) throw new HostError(stderr.trim() || `git ended with code ${exitCode}`);
  return stdout;
};

/** `--boundary` marks the first commits that a remote has by a dash; without any the branch itself is on a remote. */
const commitOnRemote = (run: Git): Observable<string> =>
  headOf(run).pipe(
    concatMap((head) =>
      run(['rev-list', '--boundary', '--first-parent', head, '--not', '--remotes']).pipe(
        map((listed) => {
          const lines = listed.split('\n').filter(Boolean);
          const sha = lines.length === 0 ? head : lines.find((line) => line.startsWith('-'))?.slice(1);
          if (sha === undefined) throw new HostError('no remote has a commit of this branch; fetch or push it first');
          return sha;
        }),
      ),
    ),
  );

/** Git prints nothing and ends with code 1 where there is no commit. */
const headOf = (run: Git): Observable<string> =>
  run(['rev-parse', '--verify', '--quiet', 'HEAD'], [0, 1]).pipe(
    map((head) => {
      if (head === '') throw new HostError('the repository has no commit yet; commit and push first');
      return head.trim();
    }),
  );

const OPTIONS = ['--no-textconv', '--no-ext-diff', '--no-color'];
/** Ends with code 1 where there is a difference. */
const DIFFERS = [0, 1];

const diffFrom = (run: Git, sha: string): Observable<string> =>
  concat(run(['diff', ...OPTIONS, sha], DIFFERS), untrackedDiffs(run)).pipe(reduce((all, one) => all + one, ''));

const untrackedDiffs = (run: Git): Observable<string> =>
  defer(() => run(['ls-files', '--others', '--exclude-standard', '-z'])).pipe(
    concatMap((names) => (names === '' ? EMPTY : from(names.split('\0').filter(Boolean)))),
    mapInTurn((name) => run(['diff', ...OPTIONS, '--binary', '--no-index', '--', '/dev/null', name], DIFFERS)),
  );
