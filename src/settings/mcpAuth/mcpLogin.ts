/** A login at an MCP server in the browser of this machine. */
import { concat, map, mergeMap, type Observable, of, take, takeWhile, tap, throwError } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { withoutEndSlash } from '../../streams/text/trim';
import { failIfLate } from '../../streams/time/limits';
import { AuthError } from '../auth/authError';
import {
  type Listening,
  newProof,
  type PendingCallback,
  type Proof,
  type ProofDeps,
  shownInBrowser,
} from '../auth/browserLogin';
import { readCallback } from '../auth/callback';
import { refusalOf, requestJson } from '../auth/tokenRequest';
import { type CredentialFile, type ServerId, toTokens } from './credentialFile';
import { type AuthServer, challengeOf, checkPkce, discover } from './discover';

/** What a login needs of its surroundings. */
export type McpLoginDeps = ProofDeps & {
  send: HttpPost;
  file: CredentialFile;
  /** Emits a server on loopback once, and closes it on unsubscription. */
  listen$: Observable<Listening>;
  /** In ms since 1970. */
  now: () => number;
};

/** What a login waits for, or that it is stored. */
export type McpLoginEvent =
  /** The person has to open `url`, within `limitMs`. */
  { kind: 'waiting'; url: string; limitMs: number } | { kind: 'loggedIn' };

type McpLogin = ServerId & {
  /** What the token must allow; if empty, the server chooses. */
  scopes: readonly string[];
};

const LIMIT_MS = 300_000;
const PATH = '/callback';

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
          shownInBrowser(respond),
          map((): McpLoginEvent => ({ kind: 'loggedIn' })),
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

/** A code, and the function that answers the browser that brought it. */
type Code = { code: string; respond: PendingCallback['respond'] };

/** What a callback must have. */
type Expected = {
  state: string;
  path: string;
  /** The only issuer that the callback may name. */
  issuer: string;
  /** The callback must name the issuer. */
  namesItself?: true;
  limitMs: number;
};

/**
 * Emits the code of the first callback that fits. Errors with AuthError: declined, timed out. Every other request is answered and has no effect.
 *   callback$  -x--c      (x another request, c the callback)
 *   out     ----(C|)
 */
export const receiveCode = (
  { port, callback$ }: Listening,
  { state, path, limitMs, ...server }: Expected,
): Observable<Code> =>
  callback$.pipe(
    mergeMap(({ request, respond }): Observable<Code> => {
      const outcome = readCallback({ port, state, isUsed: false, path }, request);
      if (outcome.kind === 'code' && isFrom(server, request.url)) return of({ code: outcome.code, respond });
      respond(outcome.kind === 'code' ? { status: 400, text: 'Issuer mismatch' } : outcome.response);
      return outcome.kind === 'failed' ? throwError(() => new AuthError(outcome.message)) : of();
    }),
    take(1),
    failIfLate(limitMs, () => new AuthError('the login timed out; start it again')),
  );

/** Source: RFC 9207: a code of another server is not used. */
const isFrom = ({ issuer, namesItself }: Pick<Expected, 'issuer' | 'namesItself'>, url: string): boolean => {
  const named = new URL(url, 'http://localhost').searchParams.get('iss');
  return named === null ? !namesItself : withoutEndSlash(named) === withoutEndSlash(issuer);
};
