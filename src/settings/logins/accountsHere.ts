/** The logins at OpenAI of this machine: auth.json in the folder of Codex, HTTP, the browser. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { concat, defer, filter, map, mergeMap, type Observable, of, repeat, take, throwError } from 'rxjs';
import { filesHere } from '../../io/disk/filesHere';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { httpPost } from '../../io/http/sendRequest';
import { readIfThere } from '../../io/paths/look';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { noBackpressure } from '../../streams/backpressure';
import { failIfLate } from '../../streams/time/limits';
import { type Accounts, accounts, type Login, type PreferredMethod } from '../auth/accounts';
import { AuthError } from '../auth/authError';
import { browserLogin, type ExchangeDeps, exchangeCode, type LoginEvent } from '../auth/browserLogin';
import { CLIENT_ID, OPENAI_ISSUER, refusalOf, type TokenResponse, tokenRequest } from '../auth/tokenRequest';
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

/** Source: codex 0.142.0 and 0.169.0, `codex login --device-auth` against a server of our own. */
const PATHS = { code: '/api/accounts/deviceauth/usercode', token: '/api/accounts/deviceauth/token' };
const LIMIT_MS = 900_000;
const INTERVAL_MS = 5_000;
/** The person has not entered the code yet. */
const PENDING = [403, 404];

/**
 * Emits the code and where to enter it, then that the login is done, and completes. Errors with AuthError: refused, timed out.
 * Unsubscribing cancels it.
 *   asked  -c--p----p----t      (c the code, p pending, t tokens; one request per interval)
 *   out    -w-------------(L|)
 */
export const deviceLogin = (deps: ExchangeDeps): Observable<LoginEvent> =>
  tokenRequest(deps)({ path: PATHS.code, body: { client_id: deps.clientId } }).pipe(
    mergeMap((response) => {
      const { device_auth_id, user_code, usercode, interval } = response.json;
      const userCode = user_code ?? usercode;
      if (response.status !== 200 || typeof device_auth_id !== 'string' || typeof userCode !== 'string') {
        const text = `no code for this device: ${refusalOf(response)}. Log in with a browser: codex-rx login.`;
        return throwError(() => new AuthError(text));
      }
      const waiting: LoginEvent = { kind: 'waiting', url: `${deps.issuer}/codex/device`, userCode, limitMs: LIMIT_MS };
      const everyMs = Number(interval) > 0 ? Number(interval) * 1000 : INTERVAL_MS;
      return concat(of(waiting), poll(deps, { device_auth_id, user_code: userCode }, everyMs));
    }),
  );

const poll = (deps: ExchangeDeps, body: Record<string, string>, everyMs: number): Observable<LoginEvent> =>
  tokenRequest(deps)({ path: PATHS.token, body }).pipe(
    repeat({ delay: everyMs }),
    filter(({ status }) => !PENDING.includes(status)),
    take(1),
    failIfLate(LIMIT_MS, () => new AuthError('the code has expired; start the login again')),
    mergeMap((response) => exchangeGranted(deps, response)),
  );

const exchangeGranted = (deps: ExchangeDeps, response: TokenResponse): Observable<LoginEvent> =>
  defer(() => {
    const { authorization_code: code, code_verifier: verifier } = response.json;
    if (response.status !== 200 || typeof code !== 'string' || typeof verifier !== 'string') {
      throw new AuthError(`the login was refused: ${refusalOf(response)}`);
    }
    return exchangeCode(deps)({ code, verifier, redirectUri: `${deps.issuer}/deviceauth/callback` });
  }).pipe(map((claims) => ({ kind: 'loggedIn', claims })));
