/** The logins at OpenAI of this machine: auth.json in the folder of Codex, HTTP, the browser. */

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Observable } from 'rxjs';
import { filesHere } from '../../io/disk/filesHere';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { httpPost } from '../../io/http/sendRequest';
import { readIfThere } from '../../io/paths/look';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { noBackpressure } from '../../streams/backpressure';
import { type Accounts, accounts, type Login, type PreferredMethod } from '../auth/accounts';
import { browserLogin, type LoginEvent } from '../auth/browserLogin';
import { deviceLogin } from '../auth/deviceLogin';
import { CLIENT_ID, OPENAI_ISSUER } from '../auth/tokenRequest';
import { listenCallback, PORTS } from './listenCallback';

/** The home of a login, and how it is configured. */
type AccountsHere = {
  processInfo: Pick<ProcessInfo, 'codexHome' | 'env'>;
  /** An issuer that the command line names. Default: OpenAI. */
  issuer?: string;
  /** The method that the configuration prefers. Default: chatgpt. */
  preferred?: () => PreferredMethod;
};

/** What logins of this home share. */
export const loginDeps = ({ processInfo: { codexHome, env }, issuer = OPENAI_ISSUER }: AccountsHere) => {
  const { files } = filesHere(codexHome);
  return {
    // auth.json may be a symbolic link, for example if secrets are mounted; links are followed for reading only.
    files: { ...files, read: readIfThere } satisfies PrivateFiles,
    path: join(codexHome, 'auth.json'),
    lockPath: join(codexHome, 'codex-rx', 'locks', 'auth.lock'),
    post: httpPost({ backpressure: noBackpressure, env }),
    issuer: issuer.replace(/\/+$/, ''),
    clientId: CLIENT_ID,
    now: Date.now,
  };
};

/** The accounts of this home. */
export const accountsHere = (here: AccountsHere): Accounts =>
  accounts({ ...loginDeps(here), env: here.processInfo.env, preferred: here.preferred ?? (() => 'chatgpt') });

type LoginHere = {
  login: Login;
  /** Where the key or the account is stored; undefined if nobody is logged in. */
  source?: 'auth.json' | 'OPENAI_API_KEY';
};

/** The login that is used now, and where it is stored. */
export const loginHere = (here: AccountsHere): LoginHere => {
  const login = accountsHere(here).current();
  if (login.kind === 'none') return { login };
  const { codexHome } = here.processInfo;
  const stored = accountsHere({ ...here, processInfo: { codexHome, env: {} } }).current();
  return { login, source: stored.kind === 'none' ? 'OPENAI_API_KEY' : 'auth.json' };
};

type StartLogin = AccountsHere & {
  /** In a browser of this machine, or by a code on another device. */
  method: 'browser' | 'device';
};

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
