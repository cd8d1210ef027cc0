/** The secret values of a process's environment. */
import { holdsPassword, isSecretVariable } from './secretNames';

/** A shorter value is not treated as a secret: hiding it would hide ordinary words. */
const MIN_CHARS = 8;

/** The values of all variables with secret names, and addresses with passwords. They are kept out of logs and redacted tapes. */
export const secretValuesOf = (env: Record<string, string | undefined>): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_CHARS && (isSecretVariable(name) || holdsPassword(value)) ? [value] : [],
  );
