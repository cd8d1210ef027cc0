/** Owns the error of a call that was not begun. */

/** The call cannot be begun; the message says why, and what to do. */
export class NotBegun extends Error {
  override name = 'NotBegun';
}
