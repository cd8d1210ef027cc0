/** Which connections an exec-server that listens accepts. */
import type { Visit } from '../../transport';

/** @param isToken whether a text is the token; without it whoever reaches the address is accepted */
export type AuthorizeDeps = { isToken?: (text: string) => boolean };

/**
 * The HTTP status of the response to a visit, or that it is accepted. A request of a browser has an `Origin` and is refused,
 * so that no web page can use the server.
 * Source: codex exec-server 0.142.0; the token is ours.
 */
export const authorizeVisit =
  ({ isToken }: AuthorizeDeps) =>
  ({ upgrade, url, headers }: Visit): number | 'accepted' => {
    if (headers.origin !== undefined) return 403;
    const path = url.split('?', 1)[0];
    if (!upgrade && path === '/readyz') return 200;
    if (path !== '/') return 404;
    if (!upgrade) return 400;
    return isToken === undefined || isToken(bearerOf(headers.authorization)) ? 'accepted' : 401;
  };

const bearerOf = (header: string | string[] | undefined): string =>
  /^Bearer +(\S+) *$/i.exec(typeof header === 'string' ? header : '')?.[1] ?? '';
