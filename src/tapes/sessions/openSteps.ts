/** Opens the source of the steps of a replay: the terminal of this process, or a descriptor. */
import { createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { defer, map, type Observable } from 'rxjs';
import { fromReadable } from '../../io/stdio/fromInput';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { fileReasonOf } from '../../streams/text/reasons';
import { TapeError } from '../files/tapeError';

const TERMINAL = '/dev/tty';

/**
 * Emits how many lines may leave, for each line that is read: one, the number in it, or all for `all`.
 * Completes with its source. Errors with TapeError when there is none.
 * @param fd undefined for the terminal, whose Enter is a step
 */
export const openSteps = (fd: number | undefined): Observable<number> =>
  defer(() => fromReadable<Uint8Array>(openFd(fd), noBackpressure)).pipe(decodeUtf8(), splitLines(), map(toCount));

const toCount = (line: string): number => {
  if (line.trim() === 'all') return Number.POSITIVE_INFINITY;
  const count = Number(line);
  return Number.isInteger(count) && count > 0 ? count : 1;
};

/** A pending read of a file stream would keep the process from ending, so only a plain file is read as one. */
const openFd = (given: number | undefined): Readable => {
  try {
    const fd = given ?? openSync(TERMINAL, 'r');
    if (isatty(fd)) return new ReadStream(fd);
    return fstatSync(fd).isFile() ? createReadStream('', { fd }) : new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    if (given === undefined) throw new TapeError('There is no terminal to step with; --step-fd N steps by lines');
    throw new TapeError(`--step-fd ${given} cannot be read: ${fileReasonOf(error)}`);
  }
};
