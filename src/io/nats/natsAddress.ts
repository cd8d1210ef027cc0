/**
 * Addresses of NATS servers, and what can go wrong with a server. An address is `nats://HOST[:PORT][,HOST[:PORT]…][/NAME]`, with `tls://` if the
 * connection must be encrypted. Own code: URL takes one host, and such an address may have several.
 */

/** The address of NATS servers. */
export type NatsAddress = {
  /** As `HOST:PORT`, tried in any order. */
  servers: readonly string[];
  isTls: boolean;
  /** What follows the hosts, such as a tape; '' if there is none. */
  name: string;
  /** The address without the name, for people. */
  shown: string;
};

const PORT = 4222;
const ADDRESS = /^(nats|tls):\/\/([^/?#]*)(?:\/([^?#]*))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

/** True for the address of a NATS server, valid or not. */
export const isNatsAddress = (text: string): boolean => /^(nats|tls):\/\//i.test(text);

/** Throws a `NatsError` for an address with credentials, without a host, or with a part that no NATS server has. */
export const parseNatsAddress = (text: string): NatsAddress => {
  const [, scheme = '', hosts = '', name = ''] = ADDRESS.exec(text) ?? [];
  if (hosts.includes('@')) throw new NatsError('address', WITH_CREDENTIALS);
  if (scheme === '' || hosts === '') throw wrong(ADDRESS_FORM);
  const servers = hosts.split(',').map(toServer);
  const isTls = scheme.toLowerCase() === 'tls';
  return { servers, isTls, name: decoded(name), shown: `${isTls ? 'tls' : 'nats'}://${servers.join(',')}` };
};

const WITH_CREDENTIALS =
  'an address of NATS holds no user or password: name a credentials file or a user under [nats] in config.toml, or in NATS_CREDS, NATS_USER and NATS_PASSWORD';

const ADDRESS_FORM =
  'an address of NATS is nats://HOST[:PORT][,HOST[:PORT]...][/NAME]; in a name, ? is written %3F and # %23';

const wrong = (text: string): NatsError => new NatsError('address', text);

const toServer = (text: string): string => {
  const [, host, port = String(PORT)] = HOST.exec(text.trim()) ?? [];
  if (host === undefined || Number(port) > 65_535 || Number(port) === 0)
    throw wrong(`${JSON.stringify(text)} is no HOST[:PORT] of a NATS server`);
  return `${host.toLowerCase()}:${Number(port)}`;
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw wrong(`${JSON.stringify(name)} is no name: a percent sign is written %25`);
  }
};

/**
 * `missing`: its packages are not installed. `address`: the address cannot be used. `unreachable`: no server answered, or it is lost for good.
 * `refused`: the server denies the login or the subject. `noResponder`: nobody serves that subject now, as while a cluster elects a leader.
 * `timeout`: no response in time; what was sent may have arrived. `absent`: there is no such stream or bucket. `full`: the stream takes no more.
 * `large`: the server takes no message of this size. `conflict`: something else was written since, or another has the name. `failed`: all else.
 */
export type NatsFailure =
  | 'missing'
  | 'address'
  | 'unreachable'
  | 'refused'
  | 'noResponder'
  | 'timeout'
  | 'absent'
  | 'full'
  | 'large'
  | 'conflict'
  | 'failed';

/** A failure of a connection to NATS; its message names no credential. */
export class NatsError extends Error {
  override name = 'NatsError';
  constructor(
    readonly kind: NatsFailure,
    message: string,
  ) {
    super(message);
  }
}

/** True for a failure of one of these kinds. */
export const isNatsFailure = (error: unknown, ...kinds: readonly NatsFailure[]): error is NatsError =>
  error instanceof NatsError && kinds.includes(error.kind);

/** True for failures that pass: the same attempt may succeed a little later. */
export const isPassing = (error: unknown): boolean => isNatsFailure(error, 'timeout', 'noResponder');
