/** Listens at a Unix socket that only its owner can connect to. */
import { lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { catchError, concatMap, Observable, throwError } from 'rxjs';
import { SetupError } from './setupError';

/** @param path of the socket, where nothing is yet but a socket that nobody listens at; @param maxSockets at once; one more is closed at once */
export type ListenUnixDeps = { path: string; maxSockets: number };

/** The socket once it is bound, then each client that connects. */
export type UnixListening = { kind: 'bound' } | { kind: 'caller'; socket: Duplex };

/** The socket has mode 0600 from the moment it is there. */
const OWNER_ONLY = 0o177;

/**
 * Emits that it listens, then each connection. Errors when it cannot listen. Unsubscribing stops listening and takes the socket
 * away; open connections stay until their own streams end. A socket that a killed server of this user left behind is replaced.
 */
export const listenUnix = (deps: ListenUnixDeps): Observable<UnixListening> =>
  listening(deps).pipe(
    catchError((error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE'
        ? isAbandoned(deps.path).pipe(
            concatMap((abandoned) => {
              if (!abandoned) throw new SetupError(inUse(deps.path));
              unlinkSync(deps.path);
              return listening(deps);
            }),
          )
        : throwError(() => error),
    ),
  );

const inUse = (path: string): string =>
  `${path} is there already, and somebody listens there or it is no socket of this user; name another path`;

const listening = ({ path, maxSockets }: ListenUnixDeps): Observable<UnixListening> =>
  new Observable((subscriber) => {
    const server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
      socket.on('error', () => {}); // it closes, and its streams end
      subscriber.next({ kind: 'caller', socket });
    });
    server.maxConnections = maxSockets;
    server.on('error', (error) => subscriber.error(error));
    const before = process.umask(OWNER_ONLY);
    try {
      server.listen(path, () => subscriber.next({ kind: 'bound' })); // binds before it returns
    } finally {
      process.umask(before);
    }
    return () => void server.close();
  });

/** Emits once: a socket of this user, to which nobody can connect as nobody listens. */
const isAbandoned = (path: string): Observable<boolean> =>
  new Observable((subscriber) => {
    const socket = connect(path);
    const settle = (abandoned: boolean): void => {
      socket.destroy();
      subscriber.next(abandoned);
      subscriber.complete();
    };
    socket.on('connect', () => settle(false));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED' && isOwnSocket(path)));
    return () => void socket.destroy();
  });

const isOwnSocket = (path: string): boolean => {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isSocket() === true && facts.uid === process.getuid?.();
};
