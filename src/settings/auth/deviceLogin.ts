/** A login by a code that is entered on another device. */
import { concat, defer, filter, map, mergeMap, type Observable, of, repeat, take, throwError, timeout } from 'rxjs';
import { AuthError } from './authError';
import type { LoginEvent } from './browserLogin';
import { type ExchangeDeps, exchangeCode } from './browserLogin';
import type { TokenResponse } from './tokenRequest';
import { refusalOf, tokenRequest } from './tokenRequest';

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
    timeout({
      first: LIMIT_MS,
      with: () => throwError(() => new AuthError('the code has expired; start the login again')),
    }),
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
