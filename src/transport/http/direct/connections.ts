/** Connections to servers: opened, and kept for the next request. Own code: see responseReader.ts. */
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { lazy } from '../../../lazy';
import type { Trust } from '../certificates';
import type { Target } from './target';

const net = /* @__PURE__ */ lazy(() => require('node:net') as typeof import('node:net'));
const tls = /* @__PURE__ */ lazy(() => require('node:tls') as typeof import('node:tls'));

/** The request on a connection: `data` gets bytes, `end` is called when the server ends it, `error` gets the reason when it closes otherwise. */
export type ConnectionUser = { data: (bytes: Buffer) => void; end: () => void; error: (error: Error) => void };

/** `use` sets the request that receives what arrives; undefined while the connection is kept, and at its end. A kept one does not keep the process alive. */
export type Connection = { socket: ConnectionSocket; use: (user: ConnectionUser | undefined) => void };

type ConnectionSocket = Duplex & { ref: () => void; unref: () => void };

/** `kept` takes the kept connection that was used last, if there is one; `keep` gives back one whose response is complete. */
export type Connections = {
  open: (target: Target) => Connection;
  kept: (target: Target) => Connection | undefined;
  keep: (target: Target, connection: Connection) => void;
};

/** @param trust of TLS, found at the first such connection */
export type ConnectionDeps = { trust: () => Trust };

/** How long a connection is silent before TCP probes whether it is alive, in ms. */
const ALIVE_MS = 1_000;
/** Source: Node 20, http.Agent. */
const MOST_KEPT = 256;

/** Changed in place: the connections that are kept, by their server, and the newest TLS session for each. */
export const connections = ({ trust }: ConnectionDeps): Connections => {
  const waiting = new Map<string, Connection[]>();
  const sessions = new Map<string, Buffer>();
  const dial = (target: Target): ConnectionSocket =>
    target.isSecure ? dialSecure(target, trust(), sessions) : net().connect(toOptions(target));
  const open = (target: Target): Connection => {
    const socket = dial(target);
    const connection: Connection = {
      socket,
      use: usable(socket, () => remove(waiting.get(target.server), connection)),
    };
    return connection;
  };
  const kept = (target: Target): Connection | undefined => {
    const connection = waiting.get(target.server)?.pop();
    connection?.socket.ref();
    return connection;
  };
  const keep = (target: Target, connection: Connection): void => {
    const others = waiting.get(target.server) ?? [];
    waiting.set(target.server, others);
    if (connection.socket.destroyed || others.length >= MOST_KEPT) return void connection.socket.destroy();
    connection.socket.resume();
    connection.socket.unref();
    others.push(connection);
  };
  return { open, kept, keep };
};

const toOptions = ({ host, port }: Target) => ({
  host,
  port,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: ALIVE_MS,
});

const dialSecure = (target: Target, trust: Trust, sessions: Map<string, Buffer>): ConnectionSocket => {
  const session = sessions.get(target.server);
  const options: ConnectionOptions = {
    ...toOptions(target),
    ...trust,
    ALPNProtocols: ['http/1.1'],
    servername: net().isIP(target.host) === 0 ? target.host : '',
    ...(session && { session }),
  };
  return tls()
    .connect(options)
    .on('session', (ticket) => sessions.set(target.server, ticket))
    .once('close', (hadError) => hadError && sessions.delete(target.server));
};

/** Listens for as long as the connection lives, for one request after another; what a server sends unasked ends it. */
const usable = (socket: ConnectionSocket, forget: () => void): Connection['use'] => {
  let user: ConnectionUser | undefined;
  let failure: Error | undefined;
  socket
    .on('data', (bytes: Buffer) => (user === undefined ? socket.destroy() : user.data(bytes)))
    .on('end', () => {
      forget(); // the server has closed it: no further request is sent there
      user?.end();
    })
    .on('error', (error) => {
      failure = error;
    })
    .on('close', () => {
      forget();
      user?.error(failure ?? closedError());
    });
  return (next) => {
    user = next;
  };
};

const closedError = (): Error => Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });

const remove = (waiting: Connection[] | undefined, connection: Connection): void => {
  const at = waiting?.indexOf(connection) ?? -1;
  if (at !== -1) waiting?.splice(at, 1);
};
