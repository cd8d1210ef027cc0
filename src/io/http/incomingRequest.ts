/** What a listener knows of a request before it is accepted, and of its own address. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One end of a TCP connection. */
export type SocketAddress = { address: string; port: number };

/** A request that reached the listener; header names are lower case. `from` and `to` are the ends of its connection. */
export type IncomingRequest = {
  upgrade: boolean;
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  from: SocketAddress;
  to: SocketAddress;
};

/** The request that Node has read; the listener knows whether it is an upgrade. */
export const toIncomingRequest = ({
  method = '',
  url = '',
  headers,
  socket,
}: IncomingMessage): Omit<IncomingRequest, 'upgrade'> => {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return {
    method,
    url,
    headers,
    from: { address: remoteAddress, port: remotePort },
    to: { address: localAddress, port: localPort },
  };
};

/** `HOST:PORT` of a server that listens, for a URL. */
export const hostOf = (server: Pick<Server, 'address'>): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};
