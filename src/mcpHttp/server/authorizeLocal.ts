/** Which HTTP requests a recorder or a played server accepts. */
import type { IncomingRequest } from '../../transport';

/**
 * @param hosts names beside those of this machine that clients may address it by
 * @param isOwnUser whether the request comes from a process of this user
 */
export type AuthorizeDeps = { hosts: readonly string[]; isOwnUser: (incoming: IncomingRequest) => boolean };

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The HTTP status of the response to a request, or that it is accepted. `Host` must name this machine, as the page of a website whose name leads
 * here sends its own; and so must `Origin`, which pages of websites have, but
 * not where they load a picture or follow a link: browsers name such requests in `Sec-Fetch-Site`.
 * Source: MCP 2025-11-25, Streamable HTTP, security warning; W3C Fetch Metadata 2.1.
 */
export const authorizeLocal =
  ({ hosts, isOwnUser }: AuthorizeDeps) =>
  (incoming: IncomingRequest): number | 'accepted' => {
    const { host, origin, 'sec-fetch-site': site } = incoming.headers;
    const known = (address: string): boolean => {
      if (!URL.canParse(address)) return false;
      const { hostname } = new URL(address);
      return LOCAL.has(hostname) || hosts.includes(hostname);
    };
    if (!known(`http://${host}`)) return 403;
    if (origin === undefined && site === 'cross-site') return 403;
    if (origin !== undefined && !(typeof origin === 'string' && known(origin))) return 403;
    return isOwnUser(incoming) ? 'accepted' : 403;
  };
