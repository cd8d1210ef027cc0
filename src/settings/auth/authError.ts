/** The error of a login that does not work. */

/** The message has the cause and the remedy, and no credential. `isFinal`: the login itself is no longer valid. */
export class AuthError extends Error {
  override name = 'AuthError';
  constructor(
    message: string,
    readonly isFinal = false,
  ) {
    super(message);
  }
}
