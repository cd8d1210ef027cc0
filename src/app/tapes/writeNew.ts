/** Writes the result of a command to a new file. */

import { createNamed } from '../../io/disk/namedHere';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { TapeError } from '../../tapes/format/tapeFile';

/** Writes a file that only its owner may read. Throws TapeError when it cannot be written, or is there already. */
export const writeNew = (path: string, text: string): void => {
  if (isNatsAddress(path)) throw new TapeError(`${path} is not a file: write one, and copy it with codex-rx tapes cp`);
  try {
    createNamed(path, text);
  } catch (error) {
    throw new TapeError(toReason(path, error as NodeJS.ErrnoException));
  }
};

const toReason = (path: string, { code, message }: NodeJS.ErrnoException): string =>
  code === 'EEXIST' ? takenText(path) : `${path} cannot be written: ${message}`;

/** The error of a file that is not replaced. */
export const takenText = (path: string): string => `${path} is there already and stays as it is: name a new file`;
