/** The secret values of a process's environment. */
import { looksGenerated } from './maskAddress';
import { holdsPassword, isSecretName, isSecretVariable } from './secretNames';

/** A shorter value is not treated as a secret: hiding it would hide ordinary words. */
const MIN_CHARS = 8;

/** The values of all variables with secret names, and addresses with passwords. They are kept out of logs and redacted tapes. */
export const secretValuesOf = (env: Record<string, string | undefined>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_CHARS && (isSecretVariable(name) || holdsPassword(value)) ? [value] : [],
  );

/** A path is no secret, whatever its folders are called. */
const PATH = /^(?:\/[\w.~-]+)+\/?(?::|$)/;

const isGenerated = (value: string): boolean => !PATH.test(value) && value.split(/[\s/:,;=@]/).some(looksGenerated);

/**
 * The values of the variables that a single program is given, to be hidden in what it prints: a configuration may call a credential as it likes, so
 * each value counts that no person would have chosen.
 */
export const secretsGiven = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== '' && (isSecretVariable(name) || isSecretName(name, value) || holdsPassword(value) || isGenerated(value))
      ? [value]
      : [],
  );
