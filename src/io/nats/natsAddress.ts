/**
 * Addresses of NATS servers: `nats://HOST[:PORT][,HOST[:PORT]…][/NAME]`, with `tls://` where the connection must be encrypted. Own code: URL takes one
 * host, and such an address may have several.
 */
import { NatsError } from './natsError';

/**
 * `servers` as `HOST:PORT`, tried in any order; `name` is what follows the hosts, such as a tape, '' where there is none;
 * `shown` is the address without it, for people.
 */
export type NatsAddress = { servers: readonly string[]; isTls: boolean; name: string; shown: string };

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
