import { EMPTY, of, throwError } from 'rxjs';
import type { CodexHost } from '../../../../src/protocol/methods/host';
import { HostError } from '../../../../src/protocol/methods/host';
import { getAuthStatus, logoutChatGpt, userInfo } from '../../../../src/server/codex/account';
import { asked } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';

const account: CodexHost['account'] = {
  current: () => ({ method: 'chatgpt', token: 'secret', email: 'a@b.c' }),
  preferred: () => 'chatgpt',
  refresh$: of(true),
  logout$: of(true),
  login$: EMPTY,
};
const none: CodexHost['account'] = { ...account, current: () => ({}) };
const result = (value: object) => ({ kind: 'result', result: value });
const note = (method: string, params: object) => ({ kind: 'notification', method, params });

describe('getAuthStatus', () => {
  it.each<[string, CodexHost['account'], object, object]>([
    ['without the token', account, {}, { authMethod: 'chatgpt', preferredAuthMethod: 'chatgpt' }],
    [
      'with the token where it is asked for',
      account,
      { includeToken: true },
      { authMethod: 'chatgpt', preferredAuthMethod: 'chatgpt', authToken: 'secret' },
    ],
    ['without a login', none, { includeToken: true }, { preferredAuthMethod: 'chatgpt' }],
  ])('answers %s', (_, account, params, expected) =>
    marbles(({ expectObservable }) => {
      expectObservable(getAuthStatus({ account })(asked('getAuthStatus', params))).toBe('(R|)', {
        R: result(expected),
      });
    })(),
  );

  it(
    'answers after the refresh that is asked for; a cancelled one is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const refresh$ = cold('---(r|)');
      const run = getAuthStatus({ account: { ...none, refresh$ } });
      const request = asked('getAuthStatus', { refreshToken: true });
      expectObservable(run(request)).toBe('---(R|)', { R: result({ preferredAuthMethod: 'chatgpt' }) });
      expectObservable(run(request), '^!').toBe('');
      expectSubscriptions(refresh$.subscriptions).toBe(['^--!', '^!']);
    }),
  );
});

describe('logoutChatGpt', () => {
  it(
    'answers, ends open logins, and notifies under both names',
    marbles(({ expectObservable }) => {
      let cancelled = 0;
      const cancelLogins = () => {
        cancelled += 1;
      };
      expectObservable(logoutChatGpt({ account: none, extended: true, cancelLogins })(asked('logoutChatGpt'))).toBe(
        '(ROL|)',
        { R: result({}), O: note('codex/event/auth_status_change', {}), L: note('authStatusChange', {}) },
      );
      logoutChatGpt({ account: none, extended: false, cancelLogins })(asked('logoutChatGpt')).subscribe();
      expect(cancelled).toBe(1);
    }),
  );

  it(
    'fails with the reason',
    marbles(({ expectObservable }) => {
      const logout$ = throwError(() => new HostError('the home is read-only'));
      const run = logoutChatGpt({ account: { ...account, logout$ }, extended: true, cancelLogins: () => {} });
      const error = { name: 'RpcError', code: -32603, message: 'logout failed: the home is read-only' };
      expectObservable(run(asked('logoutChatGpt'))).toBe('#', {}, error);
    }),
  );
});

describe('userInfo', () => {
  it.each([
    ['the address of the login', account, 'a@b.c'],
    ['null without a login', none, null],
  ])('answers with %s', (_, account, allegedUserEmail) =>
    marbles(({ expectObservable }) => {
      expectObservable(userInfo({ account })(asked('userInfo'))).toBe('(R|)', { R: result({ allegedUserEmail }) });
    })(),
  );
});
