/**
 * Whether a connection comes from a process that may do what this one may: of the same user, and in the same PID namespace. A command in a sandbox is of
 * the same user too, and with an open network it reaches every listener of this machine, but it always has a PID namespace of its own, which it cannot leave.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { IncomingRequest } from '../http/listenHttp';

/** What the kernel tells. */
export type Kernel = {
  /** The text of a table; empty if there is none. */
  read: (path: string) => string;
  /** Whether a process of the PID namespace of this one has the socket of this number open. */
  isOpenHere: (inode: string) => boolean;
};

type Ends = Pick<IncomingRequest, 'from' | 'to'>;

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** A table that changes while it is read may lack a row: one reading without the row proves nothing. */
const READINGS = 5;

const orElse = <T>(fallback: T, look: () => T): T => {
  try {
    return look();
  } catch {
    return fallback; // no IPv6 here, a process of another user, a process that has ended, or not Linux
  }
};

const read = (path: string): string => orElse('', () => readFileSync(path, 'utf8'));

const isOpenHere = (inode: string): boolean => {
  const own = orElse(undefined, () => readlinkSync('/proc/self/ns/pid'));
  if (own === undefined) return false;
  const isOpenIn = (pid: string): boolean =>
    orElse(undefined, () => readlinkSync(`/proc/${pid}/ns/pid`)) === own &&
    orElse<string[]>([], () => readdirSync(`/proc/${pid}/fd`)).some(
      (fd) => orElse('', () => readlinkSync(`/proc/${pid}/fd/${fd}`)) === `socket:[${inode}]`,
    );
  return orElse<string[]>([], () => readdirSync('/proc')).some((name) => /^\d+$/.test(name) && isOpenIn(name));
};

/** Whether the system lists who owns a connection: Linux does. */
export const listsConnectionOwners = (): boolean => read(TABLES[0] as string) !== '';

/** False also for a connection that the system does not list, and if the process that made it has ended. @param kernel default: of this machine */
export const isOwnProcess = (ends: Ends, kernel: Kernel = { read, isOpenHere }): boolean => {
  for (let reading = 0; reading < READINGS; reading++) {
    const owner = socketOwner(TABLES.map(kernel.read), ends);
    if (owner !== undefined) return owner.uid === process.getuid?.() && kernel.isOpenHere(owner.inode);
  }
  return false;
};

/** The same, but asked once for each connection, because the search for its process takes milliseconds. */
export const isOwnConnection = (): ((incoming: Ends & Pick<IncomingRequest, 'connection'>) => boolean) => {
  const known = new WeakMap<object, boolean>();
  return (incoming) => {
    const isOwn = known.get(incoming.connection) ?? isOwnProcess(incoming);
    known.set(incoming.connection, isOwn);
    return isOwn;
  };
};

/**
 * The user and the number of the socket that is connected from `from` to `to`; undefined if the tables do not list it.
 * @param tables the texts of /proc/net/tcp and /proc/net/tcp6
 * Source: proc(5), the kernel's net/ipv4/tcp_ipv4.c: addresses are words of 32 bits in the byte order of the machine, here little-endian.
 */
export const socketOwner = (
  tables: readonly string[],
  { from, to }: Ends,
): { uid: number; inode: string } | undefined => {
  const [own, peer] = [keyOf(from), keyOf(to)];
  for (const row of tables.flatMap((table) => table.split('\n').slice(1))) {
    const [, local = '', remote = '', state, , , , uid, , inode = ''] = row.trim().split(/\s+/);
    if (state === ESTABLISHED && rowKey(local) === own && rowKey(remote) === peer) return { uid: Number(uid), inode };
  }
  return undefined;
};

const ESTABLISHED = '01';

/** IPv4 and IPv4 within IPv6 are one. */
const keyOf = ({ address, port }: Ends['from']): string => {
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
