/** `getAuthStatus`, `logoutChatGpt` and `userInfo`: who is logged in. */
import { concat, concatMap, defer, map, type Observable, of } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Notification } from '../../../protocol/jsonrpc/messages';
import type { CodexHost } from '../../../protocol/methods/host';
import { AuthStatusParams } from '../../../protocol/methods/methodParams';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { badMachine, type CodexMethod, readParams, withFaults } from '../../method';

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

/** @param extended the notification goes under its later name too; @param cancelLogins ends logins that are open */
export type LogoutDeps = Pick<CodexHost, 'account'> & { extended: boolean; cancelLogins: () => void };

/** Logs out, also where nobody was logged in. Source: Codex 0.28.0, tapes rpc-login and rpc-auth-*. */
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

/** What tells clients that the login has changed, under the name of 0.28.0 and, on a face that has more, under the later one. */
export const statusChange = ({ account, extended }: Pick<LogoutDeps, 'account' | 'extended'>): Notification[] => {
  const { method } = account.current();
  const params = method === undefined ? {} : { authMethod: method };
  return notifications(extended, { old: 'codex/event/auth_status_change', later: 'authStatusChange' }, params);
};

/** Source: Codex 0.28.0 and the app-server protocol of the releases after it. */
export const notifications = (
  extended: boolean,
  { old, later }: { old: string; later: string },
  params: JsonObject,
): Notification[] => (extended ? [old, later] : [old]).map((method) => ({ kind: 'notification', method, params }));

/** The address is what the login claims; nobody has checked it. Source: the app-server protocol of the releases after 0.28.0. */
export const userInfo =
  ({ account }: Pick<CodexHost, 'account'>): CodexMethod =>
  () =>
    of(toResult({ allegedUserEmail: account.current().email ?? null }));
