/** The error of a tape that cannot be used. */

/** What keeps a command on tapes from going on; the message has cause and remedy. */
export class TapeError extends Error {
  override name = 'TapeError';
}
