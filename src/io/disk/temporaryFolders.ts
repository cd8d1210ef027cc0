/** The folders for temporary files. Each is a candidate only: TMPDIR may belong to another user, or be gone, and a system may be read-only. */
import { tmpdir } from 'node:os';
import { isWritableFolder } from '../paths/look';

const OF_SYSTEM = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp'];

/** All folders that may be meant for temporary files, the best first, whether they can be used or not. @param first TMPDIR, or what the system has for it */
export const temporaryPlaces = (first = tmpdir()): string[] => [...new Set([first, ...OF_SYSTEM])];

/** The folder in which this user can make temporary files now; on a system that is read-only the folder that is meant for them. */
export const temporaryFolder = (first = tmpdir()): string => temporaryPlaces(first).find(isWritableFolder) ?? first;
