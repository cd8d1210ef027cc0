/** The login of this home, for the Codex methods. */
import { defer, map, of } from 'rxjs';
import { preferredLogin } from '../../agent/wiring/preferredLogin';
import type { Wiring } from '../../agent/wiring/wiring';
import type { CodexHost } from '../../protocol/methods/host';
import type { LoginEvent } from '../../settings/auth/browserLogin';
import type { Login } from '../../settings/auth/chooseLogin';
import { accountsHere } from '../../settings/logins/accountsHere';
import { startLogin } from '../../settings/logins/startLogin';
import { lazy } from '../../streams/lazy';
import { toHostErrors } from './toHostErrors';

/** Each login opens a server on loopback while it is subscribed. */
export const accountHere = (wiring: Wiring): CodexHost['account'] => {
  const preferred = lazy(() => preferredLogin(wiring)); // a client may ask often, and each reading loads the whole configuration
  const accounts = lazy(() => accountsHere({ ...wiring, preferred }));
  return {
    current: () => toShown(tried(() => accounts().current())),
    preferred,
    refresh$: defer(() => accounts().refresh$),
    logout$: defer(() => of(accounts().logout())).pipe(toHostErrors()),
    login$: defer(() => startLogin({ method: 'browser', processInfo: wiring.processInfo })).pipe(
      map(toShownEvent),
      toHostErrors(),
    ),
  };
};

/** What a client is sent of a login: where to log in, and that it is done; no token. */
export const toShownEvent = (event: LoginEvent): { kind: 'waiting'; url: string } | { kind: 'loggedIn' } =>
  event.kind === 'waiting' ? { kind: event.kind, url: spacesAsHex(event.url) } : { kind: event.kind };

/** Source: Codex 0.28.0, tape rpc-login. */
const spacesAsHex = (url: string): string => url.replaceAll('+', '%20');

const toShown = (login: Login): ReturnType<CodexHost['account']['current']> => {
  switch (login.kind) {
    case 'none':
      return {};
    case 'apikey':
      return { method: 'apikey', token: login.key };
    case 'chatgpt':
      return { method: 'chatgpt', token: login.tokens.accessToken, email: login.tokens.claims.email };
  }
};

/** A file that cannot be read counts as missing. */
const tried = (read: () => Login): Login => {
  try {
    return read();
  } catch {
    return { kind: 'none' };
  }
};
