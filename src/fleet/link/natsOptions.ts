/** The options of a connection, from an address and the settings of the operator. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Authenticator, NodeConnectionOptions } from '@nats-io/transport-node';
import { permissionFault } from '../../io/files/fileError';
import type { NatsAddress } from '../../io/nats/natsAddress';
import { NatsError } from '../../io/nats/natsAddress';
import { factsOrThrow, readRegular } from '../../io/paths/look';
import type { NatsSettings } from '../../settings/natsSettings';
import type { NatsPackages } from './natsPackages';

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
