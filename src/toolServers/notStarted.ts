/** The error of a server that could not be started. */

/** The server cannot be used as it is; trying again at once would not help. */
export class NotStarted extends Error {
  override name = 'NotStarted';
}
