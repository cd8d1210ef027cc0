/** Whether a connection comes from a process of this user. */
import { readFileSync } from 'node:fs';
import type { IncomingRequest, SocketAddress } from '../http/listenHttp';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** A table that changes while it is read may lack a row: one reading without the row proves nothing. */
const READINGS = 5;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // no IPv6 here, or not Linux
  }
};

/** Whether the system lists which user owns a connection: Linux does. */
export const listsConnectionOwners = (): boolean => read(TABLES[0] as string) !== '';

/** False also for a connection that the system does not list. @param readTable the text of a file; default: of the system */
export const isOwnUser = (incoming: Pick<IncomingRequest, 'from' | 'to'>, readTable = read): boolean => {
  for (let reading = 0; reading < READINGS; reading++) {
    const owner = socketOwner(TABLES.map(readTable), incoming);
    if (owner !== undefined) return owner === process.getuid?.();
  }
  return false;
};

/**
 * The user id of the socket that is connected from `from` to `to`; undefined if the tables do not list it.
 * @param tables the texts of /proc/net/tcp and /proc/net/tcp6
 * Source: proc(5), the kernel's net/ipv4/tcp_ipv4.c: addresses are words of 32 bits in the byte order of the machine, here little-endian.
 */
export const socketOwner = (
  tables: readonly string[],
  { from, to }: { from: SocketAddress; to: SocketAddress },
): number | undefined => {
  const [own, peer] = [keyOf(from), keyOf(to)];
  for (const row of tables.flatMap((table) => table.split('\n').slice(1))) {
    const [, local = '', remote = '', state, , , , uid] = row.trim().split(/\s+/);
    if (state === ESTABLISHED && rowKey(local) === own && rowKey(remote) === peer) return Number(uid);
  }
  return undefined;
};

const ESTABLISHED = '01';

/** IPv4 and IPv4 within IPv6 are one. */
const keyOf = ({ address, port }: SocketAddress): string => {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return `${v4 ?? (address === '::1' ? LOOPBACK_V6 : address)} ${port}`;
};

const LOOPBACK_V6 = '00000000000000000000000000000001';
const V4_IN_V6 = '00000000000000000000FFFF';

/** `0100007F:1F90` as `127.0.0.1 8080`. */
const rowKey = (text: string): string => {
  const [hex = '', port = ''] = text.split(':');
  const bytes = (hex.match(/.{8}/g) ?? []).map((word) => (word.match(/../g) ?? []).reverse().join('')).join('');
  const v4 = bytes.length === 8 ? bytes : bytes.startsWith(V4_IN_V6) ? bytes.slice(V4_IN_V6.length) : undefined;
  const address = v4 === undefined ? bytes : (v4.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.');
  return `${address} ${Number.parseInt(port, 16)}`;
};
