/** Names whose values are secret: of fields, of settings in config.toml, of environment variables. */
import { isMixed } from './generatedTokens';

/** The parts of names that mark a secret, as the source of a case-insensitive regular expression. */
export const SECRET_NAME =
  'authorization|api[-_ ]?key|ac(?:cess|count)[-_]?key|private[-_]?key|token|secret|passw(?:or)?d|passphrase|credential|cookie';

/** Words at the end of a name that may mark a secret: the value decides. */
const PERHAPS_SECRET =
  /(?:^|[-_. ]|[a-z0-9](?=[A-Z]))(?:key|pass|passcode|pwd|pat|pin|auth|creds?|dsn|jwt|otp|salt|seed|sig|signature|session|sid|bearer)(?:[-_]?(?:data|value|hash|string|text)|s)?$/i;

const SECRET_FIELD = new RegExp(SECRET_NAME, 'i');

/** Keys that are public, or find a thing. */
const NO_SECRET_FIELD =
  /(?:public|primary|foreign|sort|partition|hash|range|cache|idempotency|object|row|unique|registry|index|item|dedupe|group|map|column|issue|ticket|project|translation|i18n|message|lookup|join|storage|state)[-_. ]?keys?$/i;

/** Fields that count a model's tokens, or measure their time: their numbers are not secret. */
const COUNT_FIELD = /tokens|usage|count|limit|window|_ms\b/i;

/** True for a field that counts tokens rather than holding one. */
export const isCount = (name: string): boolean => COUNT_FIELD.test(name);

/** True if a field of this name holds a secret; `input_tokens: 7` does not. Some names need a value that no person would have chosen. */
export const isSecretName = (name: string, value: unknown): boolean => {
  if (SECRET_FIELD.test(name)) return !(typeof value === 'number' && isCount(name)) && name !== 'progressToken';
  if (typeof value !== 'string' || !PERHAPS_SECRET.test(name) || NO_SECRET_FIELD.test(name)) return false;
  return PASSWORD_FIELD.test(name) ? /\D/.test(value) && value.length >= 6 : isRandom(value);
};

/** As in `DB_PASS`. */
const PASSWORD_FIELD = /[_-](?:pass|pwd|pat)$/i;

/** Whether a value has letters and digits as no word has, and is neither a path nor an address. */
export const isRandom = (value: string): boolean =>
  /^[\w+=.~!@#$%^&*:-][\w+/=.~!@#$%^&*:-]{11,8191}$/.test(value) &&
  !/^(?:[.~]|[a-z]+:\/\/)/i.test(value) &&
  value.split(/[^A-Za-z0-9]/).some((part) => part.length >= 12 && isMixed(part));

const SECRET_SETTING = /headers|params|^set$|token|secret|password|api_key/i;

/** True for a key of config.toml whose value must not appear in a message: headers and variables hold credentials too. */
export const isSecretSetting = (key: string): boolean => SECRET_SETTING.test(key);

/** Environment variables that commands do not see by default. Source: Codex 0.28.0, `shell_environment_policy`; after TOKEN ours. */
export const SECRET_VARIABLES: readonly string[] = [
  ...['*KEY*', '*SECRET*', '*TOKEN*', '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*CREDENTIAL*'],
  ...['*_PWD', '*_PASS', '*_PAT', 'PGPASSFILE'],
];

const SECRET_VARIABLE = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_PWD$|_PASS$|_PAT$/i;

/** An address with a password in it, as in `DATABASE_URL`. Source: RFC 3986 3.2.1. */
const WITH_PASSWORD = /(?<![\w+.-])[\w+.-]+:\/\/[^\s/:@]*:[^\s/@]+@/;

/** True for a value that holds a password, whatever its variable is called. */
export const holdsPassword = (value: string): boolean => WITH_PASSWORD.test(value) || /\bpassword=[^;\s]/i.test(value);

/** True for an environment variable whose value must not appear in a log or a tape. */
export const isSecretVariable = (name: string): boolean => SECRET_VARIABLE.test(name);
