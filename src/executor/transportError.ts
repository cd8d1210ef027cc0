/** The error of a message that a process did not take. */
import type { WriteStatus } from '../protocol/exec/process';

/** The process did not accept a message, or perhaps not (`ambiguous`); any other `status` is from the executor. */
export class TransportError extends Error {
  override name = 'TransportError';
  constructor(
    readonly status: Exclude<WriteStatus, 'accepted'> | 'ambiguous',
    message: string,
  ) {
    super(message);
  }
}

/** Source: codex 0.130.0 executor process transport, the errors of a send. */
const WORDS: Record<Exclude<WriteStatus, 'accepted'>, string> = {
  unknownProcess: 'broken pipe: unknown process',
  stdinClosed: 'broken pipe: stdin closed',
  starting: 'would block: process is starting',
};

/** The error for a write that was not accepted. */
export const toTransportError = (status: Exclude<WriteStatus, 'accepted'>): TransportError =>
  new TransportError(status, WORDS[status]);
