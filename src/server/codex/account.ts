/** The methods of the account: `loginChatGpt` and `cancelLoginChatGpt`, while other requests go on; `getAuthStatus`, `logoutChatGpt`, `userInfo`. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  finalize,
  from,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  takeWhile,
  throwError,
} from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, INVALID_REQUEST, type Notification, RpcError } from '../../protocol/jsonrpc/messages';
import { type CodexHost, HostError } from '../../protocol/methods/host';
import { AuthStatusParams, CancelLoginParams } from '../../protocol/methods/methodParams';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import { badMachine, type CodexMethod, readParams, withFaults } from '../method';

export type LoginDeps = Pick<CodexHost, 'account'> & { extended: boolean; newId: () => string };

type Logins = { loginChatGpt: CodexMethod; cancelLoginChatGpt: CodexMethod; cancelLogins: () => void };

/** Source: Codex 0.28.0, tape rpc-login. */
const NOT_COMPLETED = 'Login server error: Login was not completed';

/** The logins of one connection: one at a time; a second login replaces the first. */
export const logins = (deps: LoginDeps): Logins => {
  const cancel$ = new Subject<string>(); // the wire from the methods that end a login to the login
  const open = new Set<string>(); // changed in place: a login that ends by itself is gone at once
  const cancelLogins = (): void => {
    for (const loginId of [...open]) cancel$.next(loginId);
  };
  return {
    cancelLogins,
    loginChatGpt: () =>
      defer(() => {
        cancelLogins();
        const loginId = deps.newId();
        open.add(loginId);
        const cancelled$ = cancel$.pipe(filter((id) => id === loginId));
        return login(deps, loginId, cancelled$).pipe(finalize(() => open.delete(loginId)));
      }),
    cancelLoginChatGpt: (request) => {
      const { loginId } = readParams(CancelLoginParams(), request);
      if (!open.has(loginId)) throw new RpcError(INVALID_REQUEST, `login id not found: ${loginId}`);
      return concat(
        of(toResult({})),
        defer(() => {
          cancel$.next(loginId);
          return EMPTY;
        }),
      );
    },
  };
};

type LoginStep = { kind: 'waiting'; url: string } | { kind: 'loggedIn' } | { kind: 'failed'; message: string };

/**
 * Answers with the address to open, and notifies how the login ended.
 *   login   w---L        login   w----      login  #
 *   out     R---(CS|)    cancel  --x        out    #     (R the result, C completed, S the new status, F failed)
 *                        out     R-(F|)
 */
const login = (
  deps: LoginDeps,
  loginId: string,
  cancelled$: Observable<unknown>,
): Observable<Result | Notification> => {
  const step$ = defer(() => deps.account.login$).pipe(catchError(toFailed));
  const cancelStep$ = cancelled$.pipe(map((): LoginStep => ({ kind: 'failed', message: NOT_COMPLETED })));
  return merge(cancelStep$, step$).pipe(
    takeWhile(({ kind }) => kind === 'waiting', true),
    mergeMap((step, at) => toMessages(deps, { loginId, isFirst: at === 0 }, step)),
  );
};

const toFailed = (error: unknown): Observable<LoginStep> =>
  error instanceof HostError ? of({ kind: 'failed', message: error.message }) : throwError(() => error);

const toMessages = (
  deps: LoginDeps,
  { loginId, isFirst }: { loginId: string; isFirst: boolean },
  step: LoginStep,
): Observable<Result | Notification> => {
  switch (step.kind) {
    case 'waiting':
      return of(toResult({ loginId, authUrl: step.url }));
    case 'loggedIn':
      return from([...completion(deps, { loginId, success: true }), ...statusChange(deps)]);
    case 'failed':
      return isFirst
        ? throwError(() => new RpcError(INTERNAL_ERROR, `failed to start login server: ${step.message}`))
        : from(completion(deps, { loginId, success: false, error: step.message }));
  }
};

const COMPLETED = { old: 'codex/event/login_chat_gpt_complete', later: 'loginChatGptComplete' };

const completion = (
  { extended }: LoginDeps,
  params: { loginId: string; success: boolean; error?: string },
): Notification[] => notifications(extended, COMPLETED, params);

/** The params may be left out, which 0.28.0 did not allow. A refresh that fails changes nothing. Source: Codex 0.28.0, CORE 3.4. */
export const getAuthStatus =
  ({ account }: Pick<CodexHost, 'account'>): CodexMethod =>
  (request) => {
    const { includeToken = false, refreshToken = false } = readParams(AuthStatusParams(), request);
    const ready$: Observable<unknown> = refreshToken ? account.refresh$ : of(undefined);
    return ready$.pipe(map(() => toResult(toStatus(account, includeToken))));
  };

const toStatus = (account: CodexHost['account'], includeToken: boolean): JsonObject => {
  const { method, token } = account.current();
  return {
    ...(method !== undefined && { authMethod: method }),
    preferredAuthMethod: account.preferred(),
    ...(includeToken && token !== undefined && { authToken: token }),
  };
};

type LogoutDeps = Pick<CodexHost, 'account'> & {
  /** The notification is sent under its later name too. */
  extended: boolean;
  /** Ends open logins. */
  cancelLogins: () => void;
};

/** Logs out, even if nobody was logged in. Source: Codex 0.28.0, tapes rpc-login and rpc-auth-*. */
export const logoutChatGpt =
  ({ account, extended, cancelLogins }: LogoutDeps): CodexMethod =>
  () =>
    withFaults(badMachine('logout failed: '), () =>
      account.logout$.pipe(
        concatMap(() =>
          concat(
            of(toResult({})),
            defer(() => {
              cancelLogins();
              return statusChange({ account, extended });
            }),
          ),
        ),
      ),
    );

const statusChange = ({ account, extended }: Pick<LogoutDeps, 'account' | 'extended'>): Notification[] => {
  const { method } = account.current();
  const params = method === undefined ? {} : { authMethod: method };
  return notifications(extended, { old: 'codex/event/auth_status_change', later: 'authStatusChange' }, params);
};

/** Source: Codex 0.28.0 and the app-server protocol of the releases after it. */
const notifications = (
  extended: boolean,
  { old, later }: { old: string; later: string },
  params: JsonObject,
): Notification[] => (extended ? [old, later] : [old]).map((method) => ({ kind: 'notification', method, params }));

/** The address is what the login claims; nobody has checked it. Source: the app-server protocol of the releases after 0.28.0. */
export const userInfo =
  ({ account }: Pick<CodexHost, 'account'>): CodexMethod =>
  () =>
    of(toResult({ allegedUserEmail: account.current().email ?? null }));
