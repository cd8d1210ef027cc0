/** Whether a connection comes from a process of this user. */
import { readFileSync } from 'node:fs';
import type { IncomingRequest } from '../http/incomingRequest';
import { socketOwner } from './socketOwner';

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
