import { EMPTY, merge, mergeMap, of, throwError } from 'rxjs';
import { type CodexHost, HostError } from '../../../src/protocol/methods/host';
import { getAuthStatus, type LoginDeps, logins, logoutChatGpt, userInfo } from '../../../src/server/codex/account';
import { asked } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const ID = '00000000-0000-4000-8000-000000000001';

const OTHER = '00000000-0000-4000-8000-000000000002';

const steps = { w: { kind: 'waiting', url: 'https://login' }, L: { kind: 'loggedIn' } } as const;

const deps = (login$: CodexHost['account']['login$']): LoginDeps => {
  const ids = [ID, OTHER];
  return {
    account: {
      current: () => ({ method: 'chatgpt' }),
      preferred: () => 'chatgpt',
      refresh$: EMPTY,
      logout$: EMPTY,
      login$,
    },
    extended: false,
    newId: () => ids.shift() ?? '',
  };
};

const note = (name: string, params: object) => ({ kind: 'notification', method: `codex/event/${name}`, params });

const opened = (loginId: string) => ({ kind: 'result', result: { loginId, authUrl: 'https://login' } });

const failed = (loginId: string) =>
  note('login_chat_gpt_complete', { loginId, success: false, error: 'Login server error: Login was not completed' });

const out = {
  R: opened(ID),
  Q: opened(OTHER),
  C: note('login_chat_gpt_complete', { loginId: ID, success: true }),
  S: note('auth_status_change', { authMethod: 'chatgpt' }),
  F: failed(ID),
  T: note('login_chat_gpt_complete', { loginId: ID, success: false, error: 'too late' }),
  E: { kind: 'result', result: {} },
};

describe('logins', () => {
  const request = asked('loginChatGpt');

  it(
    'answer with the address, and notify when it is done',
    marbles(({ cold, expectObservable }) => {
      const { loginChatGpt } = logins(deps(cold('-w---(L|)', steps)));
      expectObservable(loginChatGpt(request)).toBe('-R---(CS|)', out);
    }),
  );

  it(
    'fail before there is an address, and notify of a failure after it',
    marbles(({ cold, expectObservable }) => {
      const busy = logins(deps(cold('-#', steps, new HostError('the ports are in use'))));
      const error = { name: 'RpcError', code: -32603, message: 'failed to start login server: the ports are in use' };
      expectObservable(busy.loginChatGpt(request)).toBe('-#', {}, error);
      const late = logins(deps(cold('-w--#', steps, new HostError('too late'))));
      expectObservable(late.loginChatGpt(request)).toBe('-R--(T|)', out);
    }),
  );

  it(
    'are cancelled, and free their port',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const login$ = cold('-w-----', steps);
      const { loginChatGpt, cancelLoginChatGpt } = logins(deps(login$));
      const cancel$ = hot(' ---x').pipe(mergeMap(() => cancelLoginChatGpt(asked('x', { loginId: ID }))));
      expectObservable(merge(loginChatGpt(request), cancel$)).toBe('-R-(EF)', out);
      expectSubscriptions(login$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'are replaced by a second one',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const login$ = cold('      -w-----', steps);
      const { loginChatGpt } = logins(deps(login$));
      const all$ = hot('         a--b---', { a: 1, b: 2 }).pipe(mergeMap(() => loginChatGpt(request)));
      expectObservable(all$).toBe('-R-FQ--', out);
      expectSubscriptions(login$.subscriptions).toBe(['^--!', '---^']);
    }),
  );

  it('are not found by another id', () => {
    const { cancelLoginChatGpt } = logins(deps(of()));
    const cancel = () => cancelLoginChatGpt(asked('cancelLoginChatGpt', { loginId: OTHER }));
    expect(cancel).toThrow(`login id not found: ${OTHER}`);
  });
});

describe('authStatus', () => {
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
        'with the token if it is asked for',
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
});
