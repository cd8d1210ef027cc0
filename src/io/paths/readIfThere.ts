/** Reads files that people name, or that may not be there, without ever waiting for the other end of a pipe. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsent } from './lookAt';

/**
 * The text of a regular file, also behind a link; undefined if there is none. Throws the error of the system if it cannot be read. A pipe would
 * keep the whole program waiting for its other end, and some devices never end.
 */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readRegular(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};

/** The same for a file that has to be there: throws the error of the system if it is not. */
export const readRegular = (path: string): string => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const facts = fstatSync(fd);
    if (facts.isFile() || facts.isDirectory()) return readFileSync(fd, 'utf8'); // of a folder, the error of the system
    throw new Error(`${path} is not a regular file: remove it, or move it away`);
  } finally {
    closeSync(fd);
  }
};

const { O_NONBLOCK = 0, O_RDONLY } = constants;
