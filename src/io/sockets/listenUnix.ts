/** Listens at a Unix socket that only its owner can connect to, and reads the addresses that an exec-server listens at. */
import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { connect, createServer, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { catchError, concatMap, Observable, throwError } from 'rxjs';
import { exactFactsAt } from '../paths/look';
import { SetupError } from '../stdio/setupError';

type ListenUnixDeps = {
  /** The path of the socket: nothing is there, or a socket without a listener. */
  path: string;
  /** The most sockets at the same time; a further socket is closed at once. */
  maxSockets: number;
};

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
        ? abandonedAt(deps.path).pipe(
            concatMap((abandoned) => {
              if (abandoned === undefined || !takeAway(deps.path, abandoned)) throw new SetupError(inUse(deps.path));
              return listening(deps);
            }),
          )
        : throwError(() => error),
    ),
  );

const inUse = (path: string): string =>
  `${path} exists already: another program listens there, or it is not a socket of this user; name another path`;

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

/** Distinguishes a socket from a later socket of its name: inode numbers alone are reused. */
type Identity = { ino: bigint; bornNs: bigint };

/** Emits once: the socket of this user, if nobody listens at it any more; otherwise undefined. */
const abandonedAt = (path: string): Observable<Identity | undefined> =>
  new Observable((subscriber) => {
    const found = ownSocket(path);
    const socket = connect(path);
    const settle = (abandoned: Identity | undefined): void => {
      socket.destroy();
      subscriber.next(abandoned);
      subscriber.complete();
    };
    socket.on('connect', () => settle(undefined));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED' ? found : undefined));
    return () => void socket.destroy();
  });

const ownSocket = (path: string): Identity | undefined => {
  const facts = exactFactsAt(path);
  if (!facts?.isSocket() || Number(facts.uid) !== process.getuid?.()) return undefined;
  return { ino: facts.ino, bornNs: facts.mtimeNs };
};

/**
 * True when the abandoned socket is gone. Two servers may have found it: the first puts its own in the place, which the second must not
 * take away. So it is moved first, looked at in a place where nobody else moves it, and put back if it is another.
 */
const takeAway = (path: string, { ino, bornNs }: Identity): boolean => {
  const aside = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // another process is faster, and about to listen
    throw error;
  }
  const moved = ownSocket(aside);
  const isIt = moved?.ino === ino && moved.bornNs === bornNs;
  if (!isIt) linkSync(aside, path);
  unlinkSync(aside);
  return isIt;
};

/** An address of this machine; port 0 is any that is free. */
export type ListenAddress = { host: string; port: number };

const SHAPE = /^ws:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})\/?$/;

/** A path of this machine's file system, absolute. */
type SocketPath = { path: string };

const UNIX = 'unix://';

/** The address of NATS servers; what is wrong with it shows when they are connected to. */
type NatsListen = { nats: string };

/** `stdio`, the address in `ws://IP:PORT`, the path in `unix:///PATH`, or what begins with `nats://` or `tls://`. Throws with cause and remedy. */
export const toListenAddress = (listen: string): 'stdio' | ListenAddress | SocketPath | NatsListen => {
  if (/^(nats|tls):\/\//i.test(listen)) return { nats: listen };
  if (listen === 'stdio' || listen === 'stdio://') return 'stdio';
  if (listen.startsWith(`${UNIX}/`)) return { path: listen.slice(UNIX.length) };
  const [, v6, v4, port] = SHAPE.exec(listen) ?? [];
  const host = v6 ?? v4 ?? '';
  if (isIP(host) !== (v6 === undefined ? 4 : 6) || Number(port) > 65_535) {
    throw new Error(
      `--listen must be stdio, ws://IP:PORT, such as ws://127.0.0.1:0, unix:///PATH, or nats://HOST; it is ${listen}`,
    );
  }
  return { host, port: Number(port) };
};

/** True for an address that only this machine can reach. */
export const isLoopback = ({ host }: ListenAddress): boolean =>
  host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(host);
