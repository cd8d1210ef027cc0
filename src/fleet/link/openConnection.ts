/** Opens a connection of the NATS client: one that fails says why, and leaves no socket. */
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { NatsError } from '../../io/nats/natsAddress';
import type { NatsPackages } from './natsPackages';
import { CERTIFICATE_FILES, toNatsError } from './toNatsError';

type Core = Pick<NatsPackages['core'], 'setTransportFactory' | 'NatsConnectionImpl' | 'ProtocolHandler'>;

/** The client declares the constructor private; its own `connect` hides the protocol until it has connected. */
type ConnectionClass = new (options: NodeConnectionOptions) => Core['NatsConnectionImpl']['prototype'];

type Protocol = Core['ProtocolHandler']['prototype'];

export type OpenDeps = {
  core: Core;
  /** The client's own sockets. */
  sockets: NatsPackages['sockets'];
  options: NodeConnectionOptions;
  /** Aborted when nobody wants the connection any more: then the opening rejects. */
  stop: AbortSignal;
};

/**
 * Does what `connect` of the client does. That cannot be stopped, and it waits 5 s for the login's answer after a server closed the socket, then
 * reports a timeout instead of the reason.
 */
export const openConnection = async ({ core, sockets, options, stop }: OpenDeps): Promise<NatsConnection> => {
  const connection = new (core.NatsConnectionImpl as unknown as ConnectionClass)(options);
  const protocol = new core.ProtocolHandler(connection.options, connection);
  connection.protocol = protocol;
  let failure: NatsError | undefined; // of the last server that closed the socket; a server that accepts none does not replace it
  const factory = () => {
    if (stop.aborted) throw closed(serverOf(protocol)); // its name was looked up meanwhile
    const giveUp = protocol.connectError; // of this dial
    const transport = new sockets.NodeTransport();
    transport.closed().then(() => {
      failure = reasonOfClose(serverOf(protocol), transport.closeError);
      giveUp?.(failure);
    });
    return transport;
  };
  core.setTransportFactory({ factory, dnsResolveFn: sockets.nodeResolveHost }); // again for each connection: other users of the client set it too
  const end = () => {
    protocol.close().catch(() => {}); // it may have no socket yet
    protocol.transport?.discard();
  };
  stop.addEventListener('abort', end);
  await protocol.dialLoop().catch((error) => {
    end();
    throw explained(error, failure);
  });
  stop.removeEventListener('abort', end);
  return connection;
};

const serverOf = (protocol: Protocol): string => protocol.getServer()?.listen ?? 'the server';

const closed = (server: string): NatsError =>
  new NatsError(
    'unreachable',
    `${server}: the server closed the connection before it accepted the login; one that demands a certificate may do so: ${CERTIFICATE_FILES}`,
  );

/** `error` is undefined, or one of the system, if the server gave no reason. */
const reasonOfClose = (server: string, error: Error | undefined): NatsError =>
  error === undefined || ['ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code))
    ? closed(server)
    : toNatsError(server, error);

/** Errors of the client that `failure` replaces, as it has the cause. */
const LAST = new Set(['TimeoutError', 'ConnectionError']);

/** What the client says if the socket is closed before the greeting, and if the greeting is none. Source: @nats-io/transport-node 3.3, node_transport.js. */
const CLOSED = /provided an undefined error/;
const NOT_NATS = /unexpected response from server|JSON/;

const explained = (error: Error, failure: NatsError | undefined): Error => {
  if (failure !== undefined && LAST.has(error.name)) return failure;
  if (CLOSED.test(error.message)) return new NatsError('unreachable', 'the server closed the connection');
  return NOT_NATS.test(error.message) ? new NatsError('unreachable', 'what answers there is no server of NATS') : error;
};
