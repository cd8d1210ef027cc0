/** The Codex methods that answer when they are done, by name. */
import { concat, defer, EMPTY, type Observable, takeUntil, tap, throwError } from 'rxjs';
import { INTERNAL_ERROR, type Notification, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import type { CodexHost } from '../../protocol/methods/host';
import type { Result } from '../../protocol/rpc/answerOnce';
import { methodTable, router } from '../../protocol/rpc/router';
import { serve } from '../../protocol/rpc/serve';
import { lazy } from '../../streams/lazy/lazy';
import { archiveConversation, listConversations } from '../conversations/stored';
import type { CodexMethod } from '../method';
import { getAuthStatus, logoutChatGpt, userInfo } from './account/authStatus';
import { logins } from './account/login';
import { execOneOffCommand } from './workspace/execOneOffCommand';
import { fuzzyFileSearch } from './workspace/fuzzyFileSearch';
import { gitDiffToRemote } from './workspace/gitDiffToRemote';
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
