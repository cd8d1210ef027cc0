/** Reads files of a repository, whose author may be hostile: a pipe would block the whole daemon, a device never ends. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { factsAt } from '../../io/paths/look';

const { O_NONBLOCK, O_RDONLY } = constants;

/** Files that name a git directory are far shorter. */
const MOST_BYTES = 67_108_864;

const isShortFile = (facts: Stats): boolean => facts.isFile() && facts.size <= MOST_BYTES;

/** No more files can be opened, so nothing is known of a path. */
const SCARCE = ['EMFILE', 'ENFILE'];

/** True for a failure that is about this process, such as too many open files, and not about the file. */
export const isScarce = (error: unknown): boolean => SCARCE.includes(String((error as NodeJS.ErrnoException).code));

/**
 * The bytes of a regular file below the length limit; undefined for anything else, and if it cannot be read. Never blocks.
 * Throws if no more files can be opened.
 * @param flags such as O_NOFOLLOW
 */
export const readPlain = (path: string, flags = 0): Buffer | undefined => {
  try {
    const facts = factsAt(path);
    if (facts === undefined || !isShortFile(facts)) return undefined; // some devices act when they are opened
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | flags); // it may be a pipe by now
    try {
      return isShortFile(fstatSync(fd)) ? readFileSync(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isScarce(error)) throw error;
    return undefined;
  }
};
