/** Registers this program at an authorization server. */
import { map, type Observable, throwError } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { AuthError } from '../auth/authError';
import { refusalOf } from '../auth/tokenRequest';
import type { AuthServer } from './discover';
import { requestJson } from './requestJson';

/** Emits the id by which the server knows this client from now on. Errors with AuthError. Source: RFC 7591. */
export const registerClient = (
  send: HttpPost,
  { issuer, registerUrl }: AuthServer,
  redirectUri: string,
): Observable<string> => {
  const host = new URL(issuer).host;
  if (registerUrl === undefined)
    return throwError(
      () => new AuthError(`${host} registers no clients; name a token by bearer_token_env_var instead`),
    );
  const client = {
    client_name: 'codex-rx',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  return requestJson(send)({ url: registerUrl, json: client }).pipe(
    map((response) => {
      const { client_id: id } = response.json;
      if (response.status < 300 && typeof id === 'string') return id;
      throw new AuthError(`${host} does not register this program: ${refusalOf(response)}`);
    }),
  );
};
