/** The errors of an attempt at a request that another attempt may follow. */
import type { ModelError } from '../../protocol/model';

/** One attempt failed and another may do better; `finalError` is the error when none is left. `waitMs` is what the server asks for. */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt';
  constructor(
    readonly finalError: ModelError,
    readonly waitMs?: number,
  ) {
    super(finalError.message);
  }
}

/** The server rejected the credential; `finalError` is the error when there is no other one. */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  constructor(readonly finalError: ModelError) {
    super(finalError.message);
  }
}
