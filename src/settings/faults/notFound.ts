/** The error for a name that is not configured. */

import { nearest } from '../../streams/text/nearest';
import { ConfigError } from './configError';
import { listed } from './errorText';

/**
 * Names what was asked for and where, the names that are configured, and the nearest of them.
 * @param asked.what the kind of thing, as Codex 0.28.0 names it: `config profile`, `Model provider`
 */
export const notFound = (asked: {
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
