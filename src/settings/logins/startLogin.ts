/** Starts a login on this machine. */
import { createHash, randomBytes } from 'node:crypto';
import type { Observable } from 'rxjs';
import { browserLogin, type LoginEvent } from '../auth/browserLogin';
import { deviceLogin } from '../auth/deviceLogin';
import { type AccountsHere, loginDeps } from './accountsHere';
import { listenCallback, PORTS } from './listenCallback';

/** @param method in a browser of this machine, or by a code on another device */
export type StartLogin = AccountsHere & { method: 'browser' | 'device' };

/** Emits where to log in, then that it is done; see browserLogin and deviceLogin. */
export const startLogin = ({ method, ...here }: StartLogin): Observable<LoginEvent> => {
  const deps = loginDeps(here);
  if (method === 'device') return deviceLogin(deps);
  return browserLogin({
    ...deps,
    listen$: listenCallback(PORTS),
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    sha256: (text) => createHash('sha256').update(text).digest('base64url'),
  });
};
