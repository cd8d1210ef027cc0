/** Limits how long a request may take to connect. */
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** The code of the error of a connection that takes too long. */
const CONNECT_TIMEOUT = 'ECONNECTTIMEOUT';

/** @param connectMs undefined or 0 for no limit; @param onLate gets the error, of the code `ECONNECTTIMEOUT`; the request goes on until it is destroyed */
export type ConnectLimit = { connectMs: number | undefined; onLate: (error: Error) => void };

/**
 * Calls `onLate` for a request that has no connection within `connectMs`: name, proxy and TLS included. Returns what lifts the limit.
 * A connection that is used again is there already. A request that waits for its proxy has no socket, and would report an error only once it gets one.
 */
export const limitConnect = (request: ClientRequest, { connectMs, onLate }: ConnectLimit): (() => void) => {
  if (!connectMs || request.reusedSocket) return () => {};
  const timer = setTimeout(() => onLate(toError(connectMs)), connectMs);
  const lift = () => clearTimeout(timer);
  request.once('socket', (socket) => {
    if (isConnected(socket)) lift();
    else socket.once(isSecure(socket) ? 'secureConnect' : 'connect', lift);
  });
  return lift;
};

const toError = (connectMs: number): Error =>
  Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: CONNECT_TIMEOUT });

/** Source: Node 20, tls.TLSSocket: `secureConnecting` while the handshake is under way. */
const isSecure = (socket: Socket): socket is Socket & { secureConnecting: boolean } => 'secureConnecting' in socket;

const isConnected = (socket: Socket): boolean => !socket.connecting && !(isSecure(socket) && socket.secureConnecting);
