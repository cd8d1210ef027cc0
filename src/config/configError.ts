/** The error of a configuration that cannot be used. Its message says where, what was found and what is expected. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
