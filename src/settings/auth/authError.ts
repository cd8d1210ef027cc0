/** The error of a login that does not work. */

/** The message says why and what to do, and contains no credential. `isFinal`: the login itself is no longer valid. */
export class AuthError extends Error {
  override name = 'AuthError';
  constructor(
    message: string,
    readonly isFinal = false,
  ) {
    super(message);
  }
}
