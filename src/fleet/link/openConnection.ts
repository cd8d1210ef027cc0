/** Opens a connection of the NATS client. A failed attempt says why, and leaves no socket. The options come from the address and the operator. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Authenticator, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { permissionFault } from '../../io/files/fileError';
import { type NatsAddress, NatsError } from '../../io/nats/natsAddress';
import { factsOrThrow, readRegular } from '../../io/paths/look';
import type { NatsSettings } from '../../settings/readNats';
import type { NatsPackages } from './natsPackages';
import { CERTIFICATE_FILES, toNatsError } from './toNatsError';

type Core = Pick<NatsPackages['core'], 'setTransportFactory' | 'NatsConnectionImpl' | 'ProtocolHandler'>;

/** The client declares the constructor private; its own `connect` hides the protocol until it has connected. */
type ConnectionClass = new (options: NodeConnectionOptions) => Core['NatsConnectionImpl']['prototype'];

type Protocol = Core['ProtocolHandler']['prototype'];

type OpenDeps = {
  core: Core;
  /** The client's own sockets. */
  sockets: NatsPackages['sockets'];
  options: NodeConnectionOptions;
  /** Aborted when nobody needs the connection any more; then the opening rejects. */
  stop: AbortSignal;
};

/** As `connect` of the client, which cannot be stopped, and reports a timeout instead of the reason if a server closed the socket. */
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
    `${server}: the server closed the connection before it accepted the login; a server that demands a certificate may do so: ${CERTIFICATE_FILES}`,
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

const CONNECT_MS = 5_000;
/** A connection that answers no ping is given up after about three of these. */
const PING_MS = 3_000;
const MAX_PINGS_OUT = 2;
const RECONNECT_WAIT_MS = 250;

/** Reconnects without end: a stream may resume after any time. Files of credentials are read again at each login. */
export const natsOptions = (
  core: NatsPackages['core'],
  { servers, isTls }: NatsAddress,
  settings: NatsSettings,
): NodeConnectionOptions => {
  const tls = tlsOf(settings);
  const checked = { ...tls, checkServerIdentity: identityOf(servers) }; // the client also passes on to Node what its types do not name
  return {
    servers: [...servers],
    name: settings.name,
    inboxPrefix: settings.inbox,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
    noAsyncTraces: true, // otherwise each request makes two stack traces
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_WAIT_MS,
    authenticator: authenticators(core, settings),
    ...(isTls || Object.keys(tls).length > 0 ? { tls: checked } : {}),
  };
};

const NAMELESS = 'localhost';

/**
 * For a server that is addressed by its IP, the client has Node check whether the certificate is for `localhost`; here it has to be for one of
 * the addresses that were named. Source: @nats-io/transport-node 3.4, node_transport.js.
 */
const identityOf = (servers: readonly string[]) => {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  const named = hosts.filter((host) => host === NAMELESS || isIP(host) !== 0);
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const faults = (host === NAMELESS && named.length > 0 ? named : [host]).map((one) =>
      checkServerIdentity(one, certificate),
    );
    return faults.includes(undefined) ? undefined : faults[0];
  };
};

const tlsOf = ({ caFile, certFile, keyFile }: NatsSettings) => ({
  ...(caFile === undefined ? {} : { ca: textOf('ca', caFile) }),
  ...(certFile === undefined ? {} : { cert: textOf('cert', certFile) }),
  ...(keyFile === undefined ? {} : { key: secretText('key', keyFile) }),
});

const authenticators = (core: NatsPackages['core'], settings: NatsSettings): Authenticator[] => {
  const { credentialsFile, nkeyFile, user, token, tokenFile } = settings;
  return [
    ...(credentialsFile === undefined ? [] : [core.credsAuthenticator(credentialsReader(credentialsFile))]),
    ...(nkeyFile === undefined ? [] : [core.nkeyAuthenticator(reader('nkey', nkeyFile))]),
    ...(user === undefined ? [] : [core.usernamePasswordAuthenticator(user, secretOf('password', settings))]),
    ...(token === undefined && tokenFile === undefined ? [] : [core.tokenAuthenticator(secretOf('token', settings))]),
  ];
};

/** What the environment sets takes precedence over the file. */
const secretOf = (key: 'password' | 'token', settings: NatsSettings): (() => string) => {
  const { [key]: value, [`${key}File` as const]: path } = settings;
  if (value !== undefined || path === undefined) return () => value ?? '';
  const read = reader(`${key}_file`, path);
  return () => Buffer.from(read()).toString();
};

/** The client cannot parse a file whose last line has no line break. Source: @nats-io/nats-core 3.4, authenticator.js. */
const credentialsReader = (path: string): (() => Uint8Array) => {
  const read = reader('credentials', path);
  return () => Buffer.from(`${Buffer.from(read()).toString().replaceAll('\r\n', '\n')}\n`);
};

/** Reads once now, so that a missing file ends the start with its name, and again at each login. */
const reader = (key: string, path: string): (() => Uint8Array) => {
  secretText(key, path);
  return () => Buffer.from(secretText(key, path).trim());
};

/** A file that other users can open is refused, as they may have read it. */
const secretText = (key: string, path: string): string => {
  const text = textOf(key, path);
  const fault = permissionFault(path, factsOrThrow(path).mode, process.platform);
  if (fault !== undefined) throw new NatsError('refused', `nats.${key}: ${fault}`);
  return text;
};

const textOf = (key: string, path: string): string => {
  try {
    return readRegular(path);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new NatsError('refused', `nats.${key} names a file that cannot be read: ${path} (${code})`);
  }
};
