/** Reads files that may not be there. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a regular file, also behind a link; undefined where there is none. Throws the error of Node where it cannot be read. A pipe would
 * keep the whole program waiting for its other end, and some devices never end.
 */
export const readIfThere = (path: string): string | undefined => {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    const facts = fstatSync(fd);
    if (facts.isFile() || facts.isDirectory()) return readFileSync(fd, 'utf8'); // of a folder, the error of the system
    throw new Error(`${path} is not a regular file: remove it, or move it away`);
  } finally {
    closeSync(fd);
  }
};

const { O_NONBLOCK, O_RDONLY } = constants;

const openIfThere = (path: string): number | undefined => {
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
