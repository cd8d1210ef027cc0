/** Errors of the configuration. */
import { nearest } from '../../streams/text/nearest';
import { listed } from './errorText';

/** The error of a configuration that cannot be used. Its message names the place, the value found and the value expected. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  /** Each fault by itself; the message has one per line. */
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === 'string' ? [faults] : faults;
    super(all.join('\n'));
    this.faults = all;
  }
}

/** The error for a name that is not configured. It names the place, the configured names, and the nearest of them. */
export const notFound = (asked: {
  /** The kind of thing, as Codex 0.28.0 names it: `config profile`, `Model provider`. */
  what: string;
  name: string;
  where: string;
  file: string;
  known: readonly string[];
}): ConfigError => {
  const known = asked.known.length === 0 ? 'there is none' : `known are ${listed(asked.known, '`')}`;
  const near = nearest(asked.name, asked.known);
  const guess = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return new ConfigError(
    `${asked.where}: ${asked.what} \`${asked.name}\` not found in ${asked.file}; ${known}${guess}`,
  );
};
