/** Which HTTP requests a recorder or a played server accepts. */
import type { IncomingRequest } from '../http/incomingRequest';

/**
 * @param hosts names other than those of this machine by which clients may address it
 * @param isOwnUser whether the request comes from a process of this user
 */
export type AuthorizeDeps = { hosts: readonly string[]; isOwnUser: (incoming: IncomingRequest) => boolean };

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The HTTP status with which a request is rejected, or that it is accepted. `Host` must name this machine, because a page of a website whose name
 * resolves to this machine sends its own name; and so must `Origin`, which pages of websites send, except
 * when they load an image or follow a link: browsers mark such requests with `Sec-Fetch-Site`.
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
