/** Waits until what was written to a file is on the disk. */
import { failedWith } from './fileError';
import type { FileSystem } from './fileSystem';

/** Node's permission model refuses it, whatever rights were given. Source: Node 20.20 to 26.10. */
export const SYNC_REFUSED = 'ERR_ACCESS_DENIED';

/** Returns when the disk has the bytes of a file. If Node does not permit that, the system writes them in its own time. */
export const syncFile = ({ fsyncSync }: Pick<FileSystem, 'fsyncSync'>, fd: number): void => {
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!failedWith(error, SYNC_REFUSED)) throw error;
  }
};
