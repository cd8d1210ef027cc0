/** Opens a connection of the NATS client through our transport, with a way around the client for whole frames. */
import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { NatsError } from './natsError';
import type { NatsPackages } from './natsPackages';
import { type SocketOptions, type SocketWatch, socketTransport, type TransportCore } from './sockets';
import { CERTIFICATE_FILES, toNatsError } from './toNatsError';

/** Sends a frame in its pieces at the end of this turn, behind what the client was given before, such as a subscription for the response. */
export type SendFrame = (pieces: readonly Uint8Array[]) => void;

/** A connection, and a way around what the client does with a message before it is sent. */
export type OpenedConnection = { connection: NatsConnection; sendFrame: SendFrame };

/** The connection ended without a reason. */
const isSilent = (error: Error | undefined): boolean =>
  error === undefined || ['ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));

const closed = (server: string): NatsError =>
  new NatsError(
    'unreachable',
    `${server}: the server closed the connection before it accepted the login; one that demands a certificate may do so: ${CERTIFICATE_FILES}`,
  );

/** Errors of the client that ours replaces, as it has the cause: the client waits in vain where a server closes after the TLS handshake. */
const LAST = new Set(['TimeoutError', 'ConnectionError']);

type Core = TransportCore &
  Pick<NatsPackages['core'], 'setTransportFactory' | 'NatsConnectionImpl' | 'ProtocolHandler'>;

/** The client declares the constructor private; its own `connect` hides the protocol until it has connected. */
type ConnectionClass = new (options: NodeConnectionOptions) => Core['NatsConnectionImpl']['prototype'];

/** @param stop is aborted when nobody wants the connection any more: then the opening rejects, and no socket stays open */
export type OpenDeps = { core: Core; options: NodeConnectionOptions; stop: AbortSignal };

/**
 * It uses the seam where the client's own `connect` chooses its transport. It is chosen again for each connection, as another user of the client in this
 * process may choose another.
 */
export const openConnection = async ({ core, options, stop }: OpenDeps): Promise<OpenedConnection> => {
  let socket: Socket | undefined;
  let failure: NatsError | undefined; // of the last server that accepted the connection and then closed it; a server that accepts none does not replace it
  const dialing: SocketWatch['dialing'] = (server) => {
    if (stop.aborted) throw closed(server); // its name was looked up meanwhile
    const giveUp = protocol.connectError; // of this dial: the client itself waits 5 s for the login's answer after the socket is closed
    return {
      opened: (next) => {
        socket = next;
      },
      closed: (error) => {
        failure = isSilent(error) ? closed(server) : toNatsError(server, error);
        giveUp?.(failure);
      },
    };
  };
  core.setTransportFactory({ factory: () => socketTransport(core), dnsResolveFn: addressesOf });
  const watched: NodeConnectionOptions & SocketOptions = { ...options, watch: { dialing } };
  const connection = new (core.NatsConnectionImpl as unknown as ConnectionClass)(watched);
  const protocol = new core.ProtocolHandler(connection.options, connection);
  connection.protocol = protocol;
  const close = () => void protocol.close().catch(() => {}); // it has no socket yet
  stop.addEventListener('abort', close);
  await protocol.dialLoop().catch((error) => {
    throw LAST.has(error.name) ? (failure ?? error) : error;
  });
  stop.removeEventListener('abort', close);
  return { connection, sendFrame: frameSender(protocol, () => socket) };
};

type Protocol = Pick<Core['ProtocolHandler']['prototype'], 'sendCommand'>;

/** The client would pack the pieces of a frame into one. */
const frameSender =
  (protocol: Protocol, socket: () => Socket | undefined): SendFrame =>
  (pieces) => {
    const [piece] = pieces;
    if (pieces.length === 1 && piece !== undefined) protocol.sendCommand(piece);
    else queueMicrotask(() => writeTo(socket(), pieces));
  };

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** What is sent without a socket is dropped, as the client does it. */
const writeTo = (socket: Socket | undefined, pieces: readonly Uint8Array[]): void => {
  if (socket === undefined || socket.destroyed) return;
  socket.cork();
  for (const piece of pieces) socket.write(piece);
  socket.uncork();
};
