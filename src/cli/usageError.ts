/** The error of a command that cannot run as it was started. */

/** Its message names cause and remedy for a person; the process ends with it and exit code 2, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}
