/** Owns who may come in where an exec-server listens. */
import type { Visit } from '../../transport';

/** @param isToken whether this is the token; without it whoever reaches the address may come in */
export type AuthorizeDeps = { isToken?: (word: string) => boolean };

/**
 * The status a visit is answered with, or that it may come in. What a browser sends has an `Origin`, and is refused, so
 * that no page can talk to the server.
 * Source: codex exec-server 0.142.0; the token is ours.
 */
export const authorizeVisit =
  ({ isToken }: AuthorizeDeps) =>
  ({ upgrade, url, headers }: Visit): number | 'come in' => {
    if (headers.origin !== undefined) return 403;
    const path = url.split('?', 1)[0];
    if (!upgrade && path === '/readyz') return 200;
    if (path !== '/') return 404;
    if (!upgrade) return 400;
    return isToken === undefined || isToken(bearerOf(headers.authorization)) ? 'come in' : 401;
  };

const bearerOf = (header: string | string[] | undefined): string =>
  /^Bearer +(\S+) *$/i.exec(typeof header === 'string' ? header : '')?.[1] ?? '';
