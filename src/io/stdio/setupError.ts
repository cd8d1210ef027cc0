/** The environment is set up so that no connection is possible: another attempt would fail too. Its message names what to change. */
export class SetupError extends Error {
  override name = 'SetupError';
}
