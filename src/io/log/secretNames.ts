/** Names whose values are secret: of fields, of settings in config.toml, of environment variables. */

/** The parts of field names that mark a secret, as the source of a case-insensitive regular expression. */
export const SECRET_NAME =
  'authorization|api[-_ ]?key|ac(?:cess|count)[-_]?key|private[-_]?key|token|secret|passw(?:or)?d|passphrase|credential|cookie';

const SECRET_FIELD = new RegExp(SECRET_NAME, 'i');

/** Fields that count a model's tokens, or measure their time: their numbers are not secret. */
const COUNT_FIELD = /tokens|usage|count|limit|window|_ms\b/i;

/** True for a field that counts tokens rather than holding one. */
export const isCount = (name: string): boolean => COUNT_FIELD.test(name);

/** True if a field of this name holds a secret; `input_tokens: 7` does not. */
export const isSecretName = (name: string, value: unknown): boolean =>
  SECRET_FIELD.test(name) && !(typeof value === 'number' && isCount(name));

const SECRET_SETTING = /headers|params|^set$|token|secret|password|api_key/i;

/** True for a key of config.toml whose value must not appear in a message: headers and variables hold credentials too. */
export const isSecretSetting = (key: string): boolean => SECRET_SETTING.test(key);

/**
 * Names of environment variables that commands do not see by default; `*` matches any text.
 * Source: Codex 0.28.0, the default excludes of `shell_environment_policy`; those after TOKEN are ours.
 */
export const SECRET_VARIABLES: readonly string[] = [
  ...['*KEY*', '*SECRET*', '*TOKEN*', '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*CREDENTIAL*'],
  ...['*_PWD', '*_PASS', '*_PAT', 'PGPASSFILE'],
];

const SECRET_VARIABLE = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_PWD$|_PASS$|_PAT$/i;

/** An address with a password in it, as in `DATABASE_URL`. Source: RFC 3986 3.2.1. */
const WITH_PASSWORD = /[a-z][\w+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;

/** True for a value that holds a password, whatever its variable is called. */
export const holdsPassword = (value: string): boolean => WITH_PASSWORD.test(value) || /\bpassword=[^;\s]/i.test(value);

/** True for an environment variable whose value must not appear in a log or a tape. */
export const isSecretVariable = (name: string): boolean => SECRET_VARIABLE.test(name);
