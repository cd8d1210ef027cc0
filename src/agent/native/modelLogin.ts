/** The stored login as models use it, and whether the native engine could work with it. */
import { catchError, throwError } from 'rxjs';
import { ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import { type Login, loginIfReadable } from '../../settings/auth/accounts';
import { AuthError } from '../../settings/auth/authError';
import { accountsHere } from '../../settings/logins/accountsHere';
import { lazy } from '../../streams/lazy';
import type { NativeAvailability } from '../chooseEngine';
import { credentials, type StoredAuth } from '../modelHttp/credentials';
import { configureOf, preferredLogin, type Wiring } from '../wiring/wiring';

/** Reads the login at each use, and refreshes it before it expires and after a server rejected it. */
export const modelLogin = (wiring: Wiring) => {
  const preferred = lazy(() => preferredLogin(wiring));
  const accounts = lazy(() => accountsHere({ ...wiring, preferred }));
  return {
    readAuth: () => toStored(loginIfReadable(() => accounts().current())),
    freshAuth: () =>
      accounts().fresh$.pipe(
        catchError((error) =>
          throwError(() => (error instanceof AuthError ? new ModelError(error.message, false) : error)),
        ),
      ),
    refreshAuth: () => accounts().refresh$,
  };
};

const toStored = (login: Login): StoredAuth => {
  switch (login.kind) {
    case 'none':
      return null;
    case 'apikey':
      return { OPENAI_API_KEY: login.key };
    case 'chatgpt': {
      const { accessToken: token, accountId: id } = login.tokens;
      return { account: { token, ...(id !== undefined && { id }) } };
    }
  }
};

/** Why no other engine can use a provider. */
const REASONS: Partial<Record<Provider['wireApi'], string>> = {
  scripted: 'is scripted',
  client: 'is the model of the client',
};

/** Whether the native engine could work here: looks at the configuration, and for the key of its model provider. Never throws. */
export const nativeAvailability = (wiring: Wiring, configure = configureOf(wiring)): NativeAvailability => {
  const { env } = wiring.processInfo;
  const { readAuth } = modelLogin(wiring);
  try {
    const { provider, environmentId } = configure({});
    credentials({ env, readAuth })(provider);
    const isElsewhere = environmentId !== 'local'; // programs that are installed here do not matter there
    const only = isElsewhere || provider.wireApi === 'scripted' || provider.wireApi === 'client';
    const needsLogin = provider.requiresOpenaiAuth;
    return {
      usable: true,
      only,
      needsLogin,
      reason: isElsewhere
        ? `threads work in the environment ${environmentId}`
        : `the model provider ${provider.id} ${REASONS[provider.wireApi] ?? 'can be used'}`,
    };
  } catch (error) {
    return { usable: false, only: false, needsLogin: true, reason: (error as Error).message };
  }
};
