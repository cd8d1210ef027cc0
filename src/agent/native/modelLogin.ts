/** The stored login, as models use it. */
import { catchError, throwError } from 'rxjs';
import { ModelError } from '../../protocol/model/model';
import { AuthError } from '../../settings/auth/authError';
import type { Login } from '../../settings/auth/chooseLogin';
import { accountsHere } from '../../settings/logins/accountsHere';
import { lazy } from '../../streams/lazy';
import type { StoredAuth } from '../modelHttp/credentials';
import { preferredLogin } from '../wiring/preferredLogin';
import type { Wiring } from '../wiring/wiring';

/** Reads the login at each use, and refreshes it before it expires and after a server rejected it. */
export const modelLogin = (wiring: Wiring) => {
  const preferred = lazy(() => preferredLogin(wiring));
  const accounts = lazy(() => accountsHere({ ...wiring, preferred }));
  return {
    readAuth: () => toStored(tried(() => accounts().current())),
    freshAuth: () =>
      accounts().fresh$.pipe(
        catchError((error) =>
          throwError(() => (error instanceof AuthError ? new ModelError(error.message, false) : error)),
        ),
      ),
    refreshAuth: () => accounts().refresh$,
  };
};

/** A file that cannot be read counts as missing. */
const tried = (read: () => Login): Login => {
  try {
    return read();
  } catch {
    return { kind: 'none' };
  }
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
