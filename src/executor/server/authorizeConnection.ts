/** Which connections an exec-server that listens accepts. */
import type { IncomingRequest } from '../../io/http/listenHttp';

/**
 * @param isToken whether a text is the token; without it no token is needed
 * @param isOwnUser whether the request comes from a process of this user; not asked where a token is needed
 */
export type AuthorizeDeps = { isToken?: (text: string) => boolean; isOwnUser: (incoming: IncomingRequest) => boolean };

/**
 * The HTTP status of the response to a request, or that it is accepted. One of a browser has an `Origin` and is refused,
 * so that no web page can use the server.
 * Source: codex exec-server 0.142.0; the token and the check of the user are ours.
 */
export const authorizeConnection =
  ({ isToken, isOwnUser }: AuthorizeDeps) =>
  (incoming: IncomingRequest): number | 'accepted' => {
    const { upgrade, url, headers } = incoming;
    if (headers.origin !== undefined) return 403;
    const path = url.split('?', 1)[0];
    if (!upgrade && path === '/readyz') return 200;
    if (path !== '/') return 404;
    if (!upgrade) return 400;
    if (isToken !== undefined) return isToken(bearerOf(headers.authorization)) ? 'accepted' : 401;
    return isOwnUser(incoming) ? 'accepted' : 403;
  };

const bearerOf = (header: string | string[] | undefined): string =>
  /^Bearer +(\S+) *$/i.exec(typeof header === 'string' ? header : '')?.[1] ?? '';
