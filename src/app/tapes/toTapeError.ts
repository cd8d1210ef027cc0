/** Failures of a NATS server become errors of a tape. */

import { NatsError } from '../../io/nats/natsAddress';
import { withoutLogin } from '../../streams/text/trim';
import { TapeError } from '../../tapes/format/tapeFile';

/** A `TapeError` with the path, without login, for what makes a tape unusable; any other error unchanged. */
export const toTapeError = (path: string, error: unknown): unknown =>
  error instanceof NatsError || (error instanceof Error && error.name === 'MissingBytes')
    ? new TapeError(named(withoutLogin(path), error.message))
    : error;

/** The reason may begin with the address. */
const named = (path: string, reason: string): string => (reason.startsWith(path) ? reason : `${path}: ${reason}`);
