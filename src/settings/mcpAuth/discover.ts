/**
 * Finds the authorization server of an MCP server. Own code: `oauth4webapi` and the MCP SDK require a fetch, and wait in promises; requests here go
 * through HttpPost, which has proxies, certificates and limits, and aborts a request on unsubscription.
 */
import { concat, defaultIfEmpty, defer, filter, map, mergeMap, type Observable, take } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { withoutEndSlash } from '../../streams/text/trim';
import { AuthError } from '../auth/authError';
import type { Challenge } from './challenge';
import { requestJson } from './requestJson';

/**
 * Where a person logs in, where tokens come from, and what they are for. `registerUrl` is absent if clients must be registered beforehand;
 * `namesItself`: it sends its issuer with each code; `hasPkce`: it declares that its codes are protected by PKCE (S256).
 */
export type AuthServer = {
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  registerUrl?: string;
  scopes: readonly string[];
  resource: string;
  namesItself?: true;
  hasPkce?: true;
};

/** @param url of the MCP server; @param issuer if it is known from an earlier login */
export type Discovery = { url: string; challenge: Challenge; issuer?: string };

type Resource = { issuer: string; scopes: readonly string[] };

/**
 * Emits the server once. Errors with AuthError if none is named, or one to which tokens must not be sent.
 * Source: MCP 2025-11-25, Authorization; RFC 9728 and RFC 8414; before 2025-06-18 the server was its own.
 */
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
  if (server === undefined) throw new AuthError(`${new URL(url).host} names no server to log in at`);
  const { issuer, authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: register } = server;
  if (typeof issuer !== 'string' || withoutEndSlash(issuer) !== withoutEndSlash(named))
    throw new AuthError(`the server to log in at, ${new URL(named).host}, describes itself as another one`);
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
  throw new AuthError(`${own.host} describes itself as another server, so nobody logs in there`);
};
