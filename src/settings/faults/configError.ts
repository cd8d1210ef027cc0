/**
 * The error of a configuration that cannot be used. Its message says where, what was found and what is expected.
 * `faults`: each fault by itself; the message is all of them, each on a line of its own.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === 'string' ? [faults] : faults;
    super(all.join('\n'));
    this.faults = all;
  }
}
