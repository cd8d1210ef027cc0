/** The errors of an attempt at a request, after which another attempt may follow. */
import type { ModelError } from '../../protocol/model/model';

/** One attempt failed and another may succeed; `finalError` is the error if none is left. `waitMs` is the wait that the server asks for. */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt';
  constructor(
    readonly finalError: ModelError,
    readonly waitMs?: number,
  ) {
    super(finalError.message);
  }
}

/** The server rejected the credential; `finalError` is the error if there is no other one. */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  constructor(readonly finalError: ModelError) {
    super(finalError.message);
  }
}
