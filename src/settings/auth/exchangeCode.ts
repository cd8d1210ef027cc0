/** Exchanges the code of a login for tokens, and stores them. */
import { map, type Observable } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { AuthError } from './authError';
import { readAuthFile, toTokenFile } from './authFile';
import type { Claims } from './claims';
import { isToken } from './isToken';
import type { TokenResponse } from './readTokenResponse';
import { type IssuerDeps, OPENAI_ISSUER, refusalOf, tokenRequest } from './tokenRequest';

/** @param path of auth.json; @param now ms since 1970 */
export type ExchangeDeps = IssuerDeps & { files: Pick<PrivateFiles, 'replace'>; path: string; now: () => number };

/** @param redirectUri the one with which the code was requested; @param verifier the secret whose hash is the challenge */
export type Code = { code: string; redirectUri: string; verifier: string };

/** Emits who is logged in, once auth.json is written. Errors with AuthError. Source: Codex 0.28.0, CORE 3.5. */
export const exchangeCode =
  (deps: ExchangeDeps) =>
  ({ code, redirectUri, verifier }: Code): Observable<Claims> =>
    tokenRequest(deps)({
      path: '/oauth/token',
      form: true,
      body: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: deps.clientId,
        code_verifier: verifier,
      },
    }).pipe(map((response) => store(deps, response)));

const store = ({ files, path, now, issuer }: ExchangeDeps, response: TokenResponse): Claims => {
  if (response.status !== 200) throw new AuthError(`Token exchange failed: ${refusalOf(response)}. Log in again.`);
  const { id_token, access_token, refresh_token } = response.json;
  const tokens = { idToken: String(id_token), accessToken: String(access_token), refreshToken: String(refresh_token) };
  const draft = readAuthFile(toTokenFile(tokens, now()));
  const isWhole = [id_token, access_token, refresh_token].every(isToken);
  if (draft?.tokens === undefined || !isWhole) {
    throw new AuthError('Token exchange failed: the response holds no usable tokens. Log in again.');
  }
  const { claims } = draft.tokens;
  const account = { ...tokens, ...(claims.accountId !== undefined && { accountId: claims.accountId }) };
  files.replace(path, toTokenFile(account, now(), issuer === OPENAI_ISSUER ? {} : { issuer }));
  return claims;
};
