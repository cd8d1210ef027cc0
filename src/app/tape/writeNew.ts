/** Writes the result of a command to a new file. */
import { writeFileSync } from 'node:fs';
import { TapeError } from './tapeError';

/** Writes a file that only its owner may read. Throws TapeError when it cannot be written, or is there already. */
export const writeNew = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new TapeError(`${path} cannot be written: ${(error as Error).message}`);
  }
};
