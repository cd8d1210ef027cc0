/** The folders for temporary files. Each is a candidate only: TMPDIR may be that of another user, or be gone, and a system may be read-only. */
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** True for a folder in which this user can make files, as far as the system says so beforehand. */
export const takesFiles = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false; // whatever the reason: it cannot be used
  }
};

const OF_SYSTEM = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp'];

/** All folders that may be meant for temporary files, the best first, whether they can be used or not. @param first TMPDIR, or what the system has for it */
export const temporaryPlaces = (first = tmpdir()): string[] => [...new Set([first, ...OF_SYSTEM])];

/** The folder in which this user can make temporary files now; on a system that is read-only the one that is meant for them. */
export const temporaryFolder = (first = tmpdir()): string => temporaryPlaces(first).find(takesFiles) ?? first;
