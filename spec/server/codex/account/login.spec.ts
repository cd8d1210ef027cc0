import { EMPTY, merge, mergeMap, of } from 'rxjs';
import type { CodexHost } from '../../../../src/protocol/methods/host';
import { HostError } from '../../../../src/protocol/methods/host';
import { type LoginDeps, logins } from '../../../../src/server/codex/account';
import { asked } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';

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
