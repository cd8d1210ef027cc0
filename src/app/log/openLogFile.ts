/** Opens a log file: private to its owner, for appending, without ever blocking. */
import { closeSync, constants, createWriteStream, fstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { openToAppend } from '../openToAppend';

/** Without O_NONBLOCK, opening a FIFO that nobody reads would block for ever. */
const { O_NONBLOCK = 0 } = constants;

/**
 * Opens a file for appending, no link. Creates it (0600) and its folders (0700) where missing, and makes an existing one private.
 * @param file absolute path
 * Throws the error of the file system, or where the path is neither a file nor a device such as /dev/null.
 */
export const openLogFile = (file: string): Writable => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fd = openToAppend(file, O_NONBLOCK);
  try {
    const found = fstatSync(fd);
    if (!found.isFile() && !found.isCharacterDevice()) throw new Error(`${file} is not a file`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return createWriteStream(file, { fd });
};
