/** The error of a server that could not be started. */

/** The server cannot be used as it is; an immediate retry would not help. */
export class NotStarted extends Error {
  override name = 'NotStarted';
}
