/** A login at an MCP server in the browser of this machine. */
import { catchError, concat, map, mergeMap, type Observable, of, takeWhile, tap, throwError } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { newProof, type Proof, type ProofDeps } from '../auth/authorization';
import type { Listening } from '../auth/browserLogin';
import { challengeOf } from './challengeOf';
import { checkPkce } from './checkPkce';
import type { CredentialFile, ServerId } from './credentialFile';
import { type AuthServer, discover } from './discover';
import { receiveCode } from './receiveCode';
import { registerClient } from './registerClient';
import { requestJson } from './requestJson';
import { toTokens } from './tokens';

/** @param listen$ emits a server on loopback once, and closes it on unsubscription; @param now ms since 1970 */
export type McpLoginDeps = ProofDeps & {
  send: HttpPost;
  file: CredentialFile;
  listen$: Observable<Listening>;
  now: () => number;
};

/** `waiting`: the person is to open `url`, within `limitMs`. `loggedIn`: the login is stored. */
export type McpLoginEvent = { kind: 'waiting'; url: string; limitMs: number } | { kind: 'loggedIn' };

/** @param scopes what the token must allow; if empty, the server chooses */
export type McpLogin = ServerId & { scopes: readonly string[] };

const LIMIT_MS = 300_000;
const PATH = '/callback';

/** A login in progress. */
type Attempt = {
  login: McpLogin;
  server: AuthServer;
  clientId: string;
  redirectUri: string;
  proof: Proof;
  scopes: readonly string[];
};

/**
 * Emits where to log in, then that it is done, and completes. Errors with AuthError: nowhere to log in, declined, timed out. Unsubscribing cancels it.
 *   callback$  ----c          (c the callback with the code)
 *   out     w----(L|)      (w waiting, L logged in, after the exchange)
 * Source: MCP 2025-11-25, Authorization: PKCE (RFC 7636), registration (RFC 7591), the resource for which a token is valid (RFC 8707).
 */
export const mcpLogin =
  (deps: McpLoginDeps) =>
  (login: McpLogin): Observable<McpLoginEvent> =>
    challengeOf(deps.send, login.url).pipe(
      mergeMap((challenge) =>
        discover(deps.send)({ url: login.url, challenge }).pipe(
          tap(checkPkce),
          map((server) => ({ login, server, scopes: scopesOf(login, server, challenge.scope) })),
        ),
      ),
      mergeMap((begun) => deps.listen$.pipe(mergeMap((listening) => attempt(deps, listening, begun)))),
      takeWhile(({ kind }) => kind !== 'loggedIn', true),
    );

/** Each login registers a client of its own, because the redirect address is part of the registration. */
const attempt = (
  deps: McpLoginDeps,
  listening: Listening,
  begun: Pick<Attempt, 'login' | 'server' | 'scopes'>,
): Observable<McpLoginEvent> => {
  const redirectUri = `http://127.0.0.1:${listening.port}${PATH}`;
  return registerClient(deps.send, begun.server, redirectUri).pipe(
    mergeMap((clientId) => ask(deps, listening, { ...begun, clientId, redirectUri, proof: newProof(deps) })),
  );
};

const scopesOf = ({ scopes }: McpLogin, server: AuthServer, asked: string | undefined): readonly string[] => {
  if (scopes.length > 0) return scopes;
  return asked === undefined ? server.scopes : asked.split(' ').filter(Boolean);
};

const ask = (deps: McpLoginDeps, listening: Listening, attempt: Attempt): Observable<McpLoginEvent> =>
  concat(
    of<McpLoginEvent>({ kind: 'waiting', url: toLoginUrl(attempt), limitMs: LIMIT_MS }),
    receiveCode(listening, {
      state: attempt.proof.state,
      issuer: attempt.server.issuer,
      ...(attempt.server.namesItself && { namesItself: true }),
      path: PATH,
      limitMs: LIMIT_MS,
    }).pipe(
      mergeMap(({ code, respond }) =>
        exchange(deps, attempt, code).pipe(
          map((): McpLoginEvent => {
            respond({ status: 200, text: 'You are logged in. You can close this page.' });
            return { kind: 'loggedIn' };
          }),
          catchError((error: Error) => {
            respond({ status: 500, text: error.message });
            return throwError(() => error);
          }),
        ),
      ),
    ),
  );

const toLoginUrl = ({ server, clientId, redirectUri, proof, scopes }: Attempt): string => {
  const url = new URL(server.authorizeUrl);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: proof.state,
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    resource: server.resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

const exchange = ({ send, file, now }: McpLoginDeps, attempt: Attempt, code: string): Observable<unknown> => {
  const { login, server, clientId, redirectUri, proof, scopes } = attempt;
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: proof.verifier,
    resource: server.resource,
  };
  return requestJson(send)({ url: server.tokenUrl, form }).pipe(
    map((response) => toTokens(response, { issuer: server.issuer, clientId, scopes }, now())),
    mergeMap((tokens) => file.change(login, () => tokens)),
  );
};
