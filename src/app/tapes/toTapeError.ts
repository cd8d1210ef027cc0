/** Failures of a NATS server, as those of a tape. */

import { NatsError } from '../../io/nats/natsAddress';
import { withoutLogin } from '../../streams/text/trim';
import { TapeError } from '../../tapes/files/tapeError';

/** A `TapeError` with the path, less any login in it, for what makes a tape unusable; any other error as it is. */
export const toTapeError = (path: string, error: unknown): unknown =>
  error instanceof NatsError || (error instanceof Error && error.name === 'MissingBytes')
    ? new TapeError(named(withoutLogin(path), error.message))
    : error;

/** The reason may begin with the address. */
const named = (path: string, reason: string): string => (reason.startsWith(path) ? reason : `${path}: ${reason}`);
