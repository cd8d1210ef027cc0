/** The addresses of recorders and played servers. Own code: URL takes no port without a scheme, and rewrites hosts such as 127.1. */
import { isIP } from 'node:net';
import type { HttpListenDeps, IncomingRequest } from '../http/listenHttp';
import { maskAddress } from '../log/maskAddress';
import { isLoopback, type ListenAddress } from '../sockets/listenUnix';
import { isOwnConnection, listsConnectionOwners } from '../sockets/ownProcess';

const SHAPE = /^(?:(?:\[([^\]]+)\]|([^:/[\]]+)):)?(\d{1,5})$/;

/** The address in `PORT`, `IP:PORT` or `localhost:PORT`; undefined for another text. */
export const readHttpAddress = (text: string): ListenAddress | undefined => {
  const [, v6, v4 = '127.0.0.1', port] = SHAPE.exec(text) ?? [];
  const host = v6 ?? (v4 === 'localhost' ? '127.0.0.1' : v4);
  if (port === undefined || Number(port) > 65_535) return undefined;
  return isIP(host) === (v6 === undefined ? 4 : 6) ? { host, port: Number(port) } : undefined;
};

/** What is wrong with an address to listen at and the hosts that clients may address; undefined if nothing is. */
export const problemOfHttp = (text: string, hosts: readonly string[]): string | undefined => {
  const address = readHttpAddress(text);
  if (address === undefined)
    return `--http ${text} is not an address; write a port, as 3001, or IP:PORT, as 127.0.0.1:3001`;
  if (isLoopback(address) || hosts.length > 0) return undefined;
  return `Other machines can reach ${address.host}; name the hosts that clients may address by --allow-host HOST, or listen at 127.0.0.1`;
};

/** Where to listen, and for whom. On loopback only processes of this user outside of sandboxes may connect, if the system knows them. */
export const toHttpListen = (address: ListenAddress, hosts: readonly string[]): HttpListenDeps => {
  const asks = isLoopback(address) && listsConnectionOwners();
  return { ...address, authorize: authorizeLocal({ hosts, isOwnProcess: asks ? isOwnConnection() : () => true }) };
};

/** The address of a server as people and tapes may have it: without user, password, query and parts of the path that may be secrets. */
export const toPublicUrl = ({ origin, pathname }: URL): string => maskAddress(origin + pathname);

/** True for the address of a server over HTTP, in the place of a command. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

type AuthorizeDeps = {
  /** Further names by which clients may address this machine. */
  hosts: readonly string[];
  /** Whether the request comes from a process that may do what this one may. */
  isOwnProcess: (incoming: IncomingRequest) => boolean;
};

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The HTTP status with which a request is rejected, or that it is accepted. `Host` must name this machine, because a page of a website whose name
 * resolves to this machine sends its own name; and so must `Origin`, which pages of websites send, except
 * when they load an image or follow a link: browsers mark such requests with `Sec-Fetch-Site`.
 * Source: MCP 2025-11-25, Streamable HTTP, security warning; W3C Fetch Metadata 2.1.
 */
export const authorizeLocal =
  ({ hosts, isOwnProcess }: AuthorizeDeps) =>
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
    return isOwnProcess(incoming) ? 'accepted' : 403;
  };
