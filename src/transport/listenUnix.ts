/** Listens at a Unix socket that only its owner can connect to. */
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Observable } from 'rxjs';
import { SetupError } from './setupError';

/** @param path of the socket, where nothing is yet; @param maxSockets at once; one more is closed at once */
export type ListenUnixDeps = { path: string; maxSockets: number };

/** The socket once it is bound, then each client that connects. */
export type UnixListening = { kind: 'bound' } | { kind: 'caller'; socket: Duplex };

/** The socket has mode 0600 from the moment it is there. */
const OWNER_ONLY = 0o177;

/**
 * Emits that it listens, then each connection. Errors when it cannot listen. Unsubscribing stops listening and takes the socket
 * away; open connections stay until their own streams end.
 */
export const listenUnix = ({ path, maxSockets }: ListenUnixDeps): Observable<UnixListening> =>
  new Observable((subscriber) => {
    const server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
      socket.on('error', () => {}); // it closes, and its streams end
      subscriber.next({ kind: 'caller', socket });
    });
    server.maxConnections = maxSockets;
    server.on('error', (error) => subscriber.error(toReason(path, error)));
    const before = process.umask(OWNER_ONLY);
    try {
      server.listen(path, () => subscriber.next({ kind: 'bound' })); // binds before it returns
    } finally {
      process.umask(before);
    }
    return () => void server.close();
  });

const toReason = (path: string, error: NodeJS.ErrnoException): Error =>
  error.code === 'EADDRINUSE'
    ? new SetupError(`${path} is there already; remove it if nobody listens there, or name another path`)
    : error;
