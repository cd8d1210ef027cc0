/**
 * Finds the authorization server of an MCP server, which `challengeOf` asks what a login needs. Own code: `oauth4webapi` and the MCP SDK require a fetch, and
 * wait in promises; requests here go through HttpPost, which has proxies, certificates and limits, and aborts a request on unsubscription.
 */
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  filter,
  map,
  mergeMap,
  type Observable,
  take,
  throwError,
} from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { withoutEndSlash } from '../../streams/text/trim';
import { failIfLate } from '../../streams/time/limits';
import { AuthError } from '../auth/authError';
import { requestJson } from '../auth/tokenRequest';

/** What a server requires of a client that is not logged in. */
type Challenge = {
  /** The address of the document that describes the server. */
  metadata?: string;
  /** What a token must allow; words separated by blanks. */
  scope?: string;
};

/** Where a person logs in, where tokens come from, and what they are for. */
export type AuthServer = {
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Undefined if clients must be registered beforehand. */
  registerUrl?: string;
  scopes: readonly string[];
  /** The MCP server that its tokens are for. */
  resource: string;
  /** It sends its issuer with each code. */
  namesItself?: true;
  /** It declares that its codes are protected by PKCE (S256). */
  hasPkce?: true;
};

/** An MCP server before its discovery. */
type Discovery = {
  url: string;
  challenge: Challenge;
  /** The issuer of an earlier login. */
  issuer?: string;
};

type Resource = { issuer: string; scopes: readonly string[] };

/** Emits the server once. Errors with AuthError if tokens must not be sent to it. Source: MCP 2025-11-25, Authorization; RFC 9728, RFC 8414. */
export const discover =
  (send: HttpPost) =>
  ({ url, challenge, issuer }: Discovery): Observable<AuthServer> =>
    defer(() => resourceOf(send, url, challenge)).pipe(
      mergeMap((found) => {
        const named = issuer ?? found.issuer;
        checkAddress(named, url);
        return firstOf(send, serverAddresses(named), isServer).pipe(
          map((server) => toServer(server, { url, named, found })),
        );
      }),
    );

const resourceOf = (send: HttpPost, url: string, { metadata }: Challenge): Observable<Resource> => {
  const { origin, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  const usual = [...new Set([path, ''])].map((one) => `${origin}/.well-known/oauth-protected-resource${one}`);
  if (metadata !== undefined) checkAddress(metadata, url);
  return firstOf(send, metadata === undefined ? usual : [metadata], isResource).pipe(
    map((found): Resource => {
      if (found === undefined) return { issuer: origin, scopes: [] };
      checkResource(found.resource, url);
      const [first] = found.authorization_servers as string[];
      return { issuer: first as string, scopes: textsIn(found.scopes_supported) };
    }),
  );
};

/** The first document at these addresses that fits, otherwise undefined. */
const firstOf = (
  send: HttpPost,
  urls: readonly string[],
  fits: (json: JsonObject) => boolean,
): Observable<JsonObject | undefined> =>
  concat(...urls.map((url) => requestJson(send)({ url }))).pipe(
    filter(({ status, json }) => status === 200 && fits(json)),
    map(({ json }): JsonObject | undefined => json),
    take(1),
    defaultIfEmpty(undefined),
  );

const isResource = ({ authorization_servers: servers }: JsonObject): boolean => textsIn(servers).length > 0;
const isServer = ({ authorization_endpoint: authorize, token_endpoint: token }: JsonObject): boolean =>
  typeof authorize === 'string' && typeof token === 'string';

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const serverAddresses = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = withoutEndSlash(pathname);
  const after = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? after : [...after, `${origin}${path}/.well-known/openid-configuration`];
};

type Found = { url: string; named: string; found: Resource };

const toServer = (server: JsonObject | undefined, { url, named, found }: Found): AuthServer => {
  if (server === undefined)
    throw new AuthError(`${new URL(url).host} names no server to log in at; set bearer_token_env_var for it instead`);
  const { issuer, authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: register } = server;
  if (typeof issuer !== 'string' || withoutEndSlash(issuer) !== withoutEndSlash(named))
    throw new AuthError(
      `the server to log in at, ${new URL(named).host}, describes itself as another one, so nobody logs in there; set bearer_token_env_var instead`,
    );
  for (const address of [authorize, token, register]) if (typeof address === 'string') checkAddress(address, url);
  return {
    issuer,
    authorizeUrl: authorize as string,
    tokenUrl: token as string,
    scopes: found.scopes,
    resource: url,
    ...(typeof register === 'string' && { registerUrl: register }),
    ...(server.authorization_response_iss_parameter_supported === true && { namesItself: true }),
    ...(textsIn(server.code_challenge_methods_supported).includes('S256') && { hasPkce: true }),
  };
};

/** Tokens, codes and their secrets are sent over TLS, or to the same host if that is configured without it. */
const checkAddress = (address: string, url: string): void => {
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  const own = new URL(url);
  const isOwnPlain = parsed?.protocol === 'http:' && own.protocol === 'http:' && parsed.hostname === own.hostname;
  const isFine = parsed?.protocol === 'https:' || isOwnPlain;
  if (!isFine) throw new AuthError(`${own.host} names an address for the login that does not begin with https://`);
};

/** A server cannot request tokens for another one. */
const checkResource = (resource: unknown, url: string): void => {
  const named = typeof resource === 'string' && URL.canParse(resource) ? new URL(resource) : undefined;
  const own = new URL(url);
  if (named?.origin === own.origin && `${own.pathname}/`.startsWith(`${withoutEndSlash(named.pathname)}/`)) return;
  throw new AuthError(
    `${own.host} describes itself as another server, so nobody logs in there; check the url of the server`,
  );
};

/** Throws AuthError if the server lists no PKCE; a renewal needs none. Source: MCP 2025-11-25, Authorization Code Protection. */
export const checkPkce = ({ issuer, hasPkce }: AuthServer): void => {
  if (hasPkce) return;
  throw new AuthError(
    `${new URL(issuer).host} does not say that its logins are protected by PKCE (S256 in code_challenge_methods_supported), so nobody logs in there; name a token by bearer_token_env_var instead`,
  );
};

/** A server that accepts a connection may never respond. */
const ANSWER_MS = 30_000;

/** Emits once what the server requires of a client without a token. Errors with AuthError if it cannot be reached or is silent for 30 s. */
export const challengeOf = (send: HttpPost, url: string): Observable<Challenge> => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return send({ url, headers, body: PING, connectMs: ANSWER_MS }).pipe(
    failIfLate(ANSWER_MS, () => new Error(`no response within ${ANSWER_MS / 1000} s`)),
    take(1),
    map(({ headers: { 'www-authenticate': header } }) => readChallenge(`${header ?? ''}`)),
    catchError((error: Error) =>
      throwError(() => new AuthError(`${new URL(url).host} cannot be reached: ${error.message}`)),
    ),
  );
};

const PING = '{"jsonrpc":"2.0","id":0,"method":"ping"}';

/** Reads the challenge for bearer tokens in `WWW-Authenticate`. Own code: two members need no grammar of the header. Source: RFC 9728 5.1, RFC 6750 3. */
export const readChallenge = (header: string): Challenge => {
  const memberOf = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i')
      .exec(header)
      ?.slice(1)
      .find((one) => one !== undefined);
  const [metadata, scope] = [memberOf('resource_metadata'), memberOf('scope')];
  return { ...(metadata && { metadata }), ...(scope && { scope }) };
};
