/** The error of a tape that cannot be used. */

/** What a command on tapes cannot go on with. */
export class TapeError extends Error {
  override name = 'TapeError';
}
