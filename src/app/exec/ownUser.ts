/** Whether a connection comes from a process of this user. */
import { readFileSync } from 'node:fs';
import { socketOwner, type Visit } from '../../transport';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // no IPv6 here, or not Linux
  }
};

/** Whether the system lists the users of connections: Linux does. */
export const knowsUsers = (): boolean => read(TABLES[0] as string) !== '';

/** False also for a connection that the system does not list. */
export const isOwnUser = (visit: Pick<Visit, 'from' | 'to'>): boolean =>
  socketOwner(TABLES.map(read), visit) === process.getuid?.();
