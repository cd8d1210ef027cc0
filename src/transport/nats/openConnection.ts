/** Opens a connection of the client of NATS through our transport, with a way around the client for what is large. */
import { lookup } from 'node:dns/promises';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsPackages } from './natsPackages';
import { type CurrentSocket, socketTransport, type TransportCore } from './socketTransport';

/** Writes the pieces of a frame at once; false where there is no socket now. What the client was given before in this turn has to be sent before: see `natsAcks`. */
export type WriteFrame = (pieces: readonly Uint8Array[]) => boolean;

/** The client packs what it sends into one piece, of a message of 512 KB too. */
export type OpenedConnection = { connection: NatsConnection; writeFrame: WriteFrame };

type Core = TransportCore & Pick<NatsPackages['core'], 'setTransportFactory' | 'NatsConnectionImpl'>;

/** The seam by which the client's own `connect` chooses its transport; it is chosen again for each connection, as another user of the client in this process may choose another. */
export const openConnection = async (core: Core, options: NodeConnectionOptions): Promise<OpenedConnection> => {
  const current: CurrentSocket = { socket: undefined, failure: undefined };
  core.setTransportFactory({ factory: () => socketTransport(core), dnsResolveFn: addressesOf });
  const withSocket: NodeConnectionOptions & { current: CurrentSocket } = { ...options, current };
  const connection = await core.NatsConnectionImpl.connect(withSocket).catch((error) => {
    throw whyLate(error, current);
  });
  return { connection, writeFrame: writeTo(current) };
};

/** The client waits in vain on a socket that a server has closed behind the handshake of TLS, as it does without a certificate of ours. */
const whyLate = (error: Error, { failure }: CurrentSocket): Error =>
  error.name === 'TimeoutError' ? (failure ?? error) : error;

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

const writeTo =
  (current: CurrentSocket): WriteFrame =>
  (pieces) => {
    const { socket } = current;
    if (socket === undefined || socket.destroyed) return false;
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
    return true;
  };
