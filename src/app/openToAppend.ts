/** Opens a file that this program adds to: private to its owner, and never the file that somebody's link leads to. */
import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
const OTHERS = 0o077;

/** Links of the system, such as /dev/stdout, which nobody else makes. */
const OF_SYSTEM = /^\/(?:dev|proc)\//;

/**
 * A descriptor for appending. The file is made with mode 0600 where it is missing, and made private where it was not. A link in a
 * repository could lead to any file of the user, so one at the end of the path is refused.
 * @param flags further ones of open(2), such as O_NONBLOCK
 * Throws the error of the file system, with the remedy where the path is a link.
 */
export const openToAppend = (path: string, flags = 0): number => {
  const fd = opened(path, flags | O_WRONLY | O_APPEND | O_CREAT | (OF_SYSTEM.test(path) ? 0 : O_NOFOLLOW));
  try {
    const found = fstatSync(fd);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(fd, 0o600);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

const opened = (path: string, flags: number): number => {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const isLink = ['ELOOP', 'EMLINK'].includes(String((error as NodeJS.ErrnoException).code));
    throw isLink ? new Error(`${path} is a link; name the file that it leads to`) : error;
  }
};
