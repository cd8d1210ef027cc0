/** Opens a log file as a stream. */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { openLog } from '../disk/namedHere';

/**
 * Opens a file for appending: private to its owner, no link, and without ever blocking.
 * @param file absolute path
 * Throws the error of the file system, or if the path is neither a file nor a device such as /dev/null.
 */
export const openLogFile = (file: string): Writable => createWriteStream(file, { fd: openLog(file) });
