/** The error of a stored thread that cannot be used. */

/** The message names the thread, the cause and the remedy. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}
