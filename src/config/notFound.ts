/** Owns the error for a name that is not configured. */
import { ConfigError } from './config';
import { listed } from './describe';
import { nearest } from './nearest';

/**
 * Says which name was asked for, where, and which ones there are.
 * @param what the thing in the words of Codex 0.28.0: `config profile`, `Model provider`
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
