/** Reads the response of a token endpoint. */
import { AuthError } from '../auth/authError';
import { isToken } from '../auth/isToken';
import type { TokenResponse } from '../auth/readTokenResponse';
import { refusalOf } from '../auth/tokenRequest';
import type { Credential } from './credentialFile';

/** What is known beforehand: the client, its server, and the refresh token, which is kept if no new one comes. */
export type Known = Pick<Credential, 'issuer' | 'clientId' | 'refreshToken' | 'scopes'>;

/** The login in a response. Throws AuthError, whose text contains no token; it is final if the server refuses. Source: RFC 6749 5. */
export const toTokens = (response: TokenResponse, known: Known, nowMs: number): Credential => {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = response.json;
  if (response.status !== 200 || !isToken(access)) {
    const isFinal = response.status === 400 || response.status === 401;
    throw new AuthError(`no token was given: ${refusalOf(response)}`, isFinal);
  }
  const lasting = Number(seconds);
  return {
    ...known,
    accessToken: access,
    ...(isToken(refresh) && { refreshToken: refresh }),
    ...(seconds !== undefined && lasting > 0 && { expiresMs: nowMs + lasting * 1000, lifeMs: lasting * 1000 }),
    ...(typeof scope === 'string' && { scopes: scope.split(' ').filter(Boolean) }),
  };
};
