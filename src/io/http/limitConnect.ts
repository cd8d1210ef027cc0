/** Limits how long a request may take to connect. */
import type { Duplex } from 'node:stream';

/** The code of the error of a connection that takes too long. */
const CONNECT_TIMEOUT = 'ECONNECTTIMEOUT';

/**
 * @param connectMs undefined or 0 for no limit; @param onLate gets the error, of the code `ECONNECTTIMEOUT`; the request goes on until it is ended
 * @param withSocket calls with the socket of the request, as soon as there is one
 */
export type ConnectLimit = {
  connectMs: number | undefined;
  onLate: (error: Error) => void;
  withSocket: (use: (socket: Duplex) => void) => void;
};

/**
 * Calls `onLate` for a request that has no connection within `connectMs`: name, proxy and TLS included. Returns what lifts the limit.
 * A request that waits for its proxy has no socket, and would report an error only once it gets one.
 */
export const limitConnect = ({ connectMs, onLate, withSocket }: ConnectLimit): (() => void) => {
  if (!connectMs) return () => {};
  const timer = setTimeout(() => onLate(toError(connectMs)), connectMs);
  const lift = () => clearTimeout(timer);
  withSocket((socket) => {
    if (isConnected(socket)) lift();
    else socket.once(isSecure(socket) ? 'secureConnect' : 'connect', lift);
  });
  return lift;
};

const toError = (connectMs: number): Error =>
  Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: CONNECT_TIMEOUT });

/** Source: Node 20, tls.TLSSocket: `secureConnecting` while the handshake is under way. */
const isSecure = (socket: Duplex): socket is Duplex & { secureConnecting: boolean } => 'secureConnecting' in socket;

/** An in-memory connection counts as connected. */
const isConnected = (socket: Duplex & { connecting?: boolean }): boolean =>
  !socket.connecting && !(isSecure(socket) && socket.secureConnecting);
