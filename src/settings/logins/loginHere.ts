/** The login of this machine, and where it comes from. */
import type { Login } from '../auth/chooseLogin';
import { type AccountsHere, accountsHere } from './accountsHere';

/** `source` is where a key or an account is kept: in auth.json, or in the variable OPENAI_API_KEY; undefined where nobody is logged in. */
export type LoginHere = { login: Login; source?: 'auth.json' | 'OPENAI_API_KEY' };

/** The login that counts now. */
export const loginHere = (here: AccountsHere): LoginHere => {
  const login = accountsHere(here).current();
  if (login.kind === 'none') return { login };
  const { codexHome } = here.processInfo;
  const stored = accountsHere({ ...here, processInfo: { codexHome, env: {} } }).current();
  return { login, source: stored.kind === 'none' ? 'OPENAI_API_KEY' : 'auth.json' };
};
