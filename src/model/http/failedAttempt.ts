/** The errors of an attempt at a request that another attempt may follow. */
import type { ModelError } from '../../protocol/model';

/** One attempt failed and another may do better; `lastly` is the error when none is left. `waitMs` is what the server asks for. */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt';
  constructor(
    readonly lastly: ModelError,
    readonly waitMs?: number,
  ) {
    super(lastly.message);
  }
}

/** The server rejected the credential; `lastly` is the error when there is no other one. */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  constructor(readonly lastly: ModelError) {
    super(lastly.message);
  }
}
