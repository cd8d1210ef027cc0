/** Reads files that may not be there. */
import { readFileSync } from 'node:fs';

/** The text of a file, also behind a link; undefined where there is none. Throws the error of Node where it cannot be read. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
