/** Names whose values are secret: of fields, of settings in config.toml, of environment variables; and such values in a text. */
import type { Pausing } from '../../streams/pausing';
import { isMixed, type Place } from './generatedTokens';

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

/** A value, and the secret in it: without its quotes and its scheme. */
type NamedValue = Place & { secret: string };

/** A name, up to its value. A quoted name may be separated by a comma, as in a call or a list. */
const NAME =
  /(?<![\w.-])-{0,2}((?:[A-Za-z][\w.-]{0,63} )?[A-Za-z_][\w.-]{1,127})(?:\s{0,8}["'`\])]{0,2}\s{0,8}[:=]=?>?|["'`]\s{0,8},)\s{0,8}(?:\[\s{0,8}(?=["'`]))?/y;

/** An option of a command, up to its value, alone or as the next member of a list. */
const OPTION = /(?<![\w-])-{1,2}([A-Za-z][\w-]{0,63})(?:[ \t]{1,8}|["'],\s{0,8})(?!-)/y;

/** A name that another word announces, up to its value: a text in C, any value in a shell or a Dockerfile. */
const ANNOUNCED =
  /(?:(?<=#)define(?=[ \t]{1,8}\w{1,128}[ \t]{1,8}")|setenv|ENV)[ \t]{1,8}([A-Za-z_]\w{1,127})[ \t]{1,8}/y;

/** A tag of XML, with the text up to its end. */
const ELEMENT = /(?<=[<:])([A-Za-z_][\w.-]{1,127})(?:\s[^<>]{0,256})?>(?=[^<]{1,8192}<\/(?:[\w.-]{1,64}:)?\1>)/y;

/** The value of these is the rest of the line. */
const LINE = /authorization|cookie|passphrase|(?:pass|seed|recovery|backup)[-_ ]?phrase|mnemonic/i;
const PHRASE = /(?:pass|seed|recovery|backup)[-_ ]?phrase|mnemonic/i;

/** Values that are not secret, whatever their name is, and what an earlier redaction left. */
const NO_VALUE = /^(?:null|true|false|undefined|none|nil|\[redacted\]?|)$/i;

/** Clues of a name. */
export const NAME_CLUES =
  'authorization api account access private token secret passw passphrase credential cookie phrase mnemonic key pass pwd pat pin auth cred dsn jwt otp salt seed sig sid session bearer header';

/**
 * The places of all such values.
 * @param clues where a name may be, in order
 */
export function* namedValuesIn(text: string, clues: readonly number[]): Pausing<readonly NamedValue[]> {
  const values: NamedValue[] = [];
  let done = 0;
  let [runEnd, inRun] = [0, 0]; // of the last word that is no secret, and how many names in it were looked at
  for (const [i, clue] of clues.entries()) {
    if (i % STEP === 0) yield;
    if (clue < done || (clue < runEnd && inRun >= MAX_IN_RUN)) continue;
    const match = nameAt(text, startOfName(text, clue, done));
    const value = match && valueBehind(text, match);
    if (match === undefined || value === undefined) continue;
    if (isSecret(match.name, value.secret)) {
      values.push(value);
      done = value.to;
    } else if (!QUOTE.test(text[value.from - 1] ?? '')) {
      inRun = value.to === runEnd ? inRun + 1 : 1;
      runEnd = value.to;
    }
  }
  return values;
}

/** Names in one word without blanks, such as `key=key=`: the value of each goes to its end, so looking at all would take a time that grows with the square. */
const MAX_IN_RUN = 8;
/** How many names are looked at without a pause. */
const STEP = 256;

const MAX_NAME_CHARS = 128;
const IN_NAME = /[\w.-]/;

const startOfName = (text: string, clue: number, least: number): number => {
  let at = clue;
  while (at > least && clue - at < MAX_NAME_CHARS && IN_NAME.test(text[at - 1] as string)) at -= 1;
  return at;
};

/** A name with the word before it, as in `API key: …`; else the name alone, also if it is an option. */
const nameAt = (text: string, at: number): Match | undefined => {
  const before = text[at - 1] === ' ' ? startOfName(text, at - 1, 0) : at;
  const patterns: [RegExp, number][] = [
    [ELEMENT, at],
    [ANNOUNCED, before],
    [NAME, before],
    [NAME, at],
    [OPTION, at],
  ];
  for (const [pattern, from] of patterns) {
    const match = matchAt(pattern, text, from);
    if (match !== undefined) return match;
  }
  return undefined;
};

type Match = { name: string; pattern: RegExp; from: number; to: number };

const matchAt = (pattern: RegExp, text: string, at: number): Match | undefined => {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { name: match[1] as string, pattern, from: at, to: pattern.lastIndex };
};

const valueBehind = (text: string, { name, pattern, from, to }: Match): NamedValue | undefined => {
  if (pattern === ELEMENT) return toValue(text, to, text.indexOf('<', to));
  const isLine = pattern !== OPTION && LINE.test(name);
  const quote = QUOTE.exec(text[from - 1] ?? '')?.[0];
  return valueAt(text, to, { isLine, hasBlock: isSecretName(name, ''), quote });
};

const QUOTE = /["'`]/;

const isSecret = (name: string, secret: string): boolean => {
  if (NO_VALUE.test(secret) || (isCount(name) && /^\d+$/.test(secret))) return false;
  return PHRASE.test(name) || isSecretName(name, secret);
};

/** The scheme of a credential. */
const SCHEME = /^(?:bearer|basic|digest|token|negotiate|aws4-hmac-sha256)\s+/i;
const BARE = /(?:(?:bearer|basic|digest|token)\s{1,8})?[^\s,;&"'`<>(){}[\]\\]+/iy;
const REST = /[^\r\n]+/y;
/** The indented lines of YAML. */
const BLOCK = /[|>][-+\d]{0,2}[ \t]{0,8}\r?\n([ \t]{1,64})[^\n]*(?:\n\1[^\n]*)*/y;

/** Between a name and its value. */
const MAX_BLANKS = 8;

type Reading = {
  /** The value is the rest of the line. */
  isLine: boolean;
  /** The value may be a block. */
  hasBlock: boolean;
  /** The quotation mark before the name, which ends such a line. */
  quote: string | undefined;
};

/** The value at a place; undefined for an object, or a call. */
const valueAt = (text: string, at: number, { isLine, hasBlock, quote }: Reading): NamedValue | undefined => {
  const open = QUOTE.exec(text[at] ?? '')?.[0];
  if (open !== undefined && text.startsWith(open.repeat(3), at)) {
    if (text.slice(Math.max(0, at - MAX_BLANKS), at).includes('\n')) return undefined; // the description of a class
    const end = text.indexOf(open.repeat(3), at + 3);
    return toValue(text, at + 3, end < 0 ? text.length : end);
  }
  if (open !== undefined) return toValue(text, at + 1, closedAt(text, at + 1, open));
  const block = hasBlock ? matchEnd(BLOCK, text, at) : at;
  if (block > at) return toValue(text, text.indexOf('\n', at) + 1, block);
  if (isLine && !/[{[]/.test(text[at] ?? '')) {
    const end = matchEnd(REST, text, at);
    return toValue(text, at, quote === undefined ? end : Math.min(end, closedAt(text, at, quote)));
  }
  const end = matchEnd(BARE, text, at);
  return text[end] === '(' ? undefined : toValue(text, at, end);
};

const toValue = (text: string, from: number, to: number): NamedValue | undefined => {
  const value = text.slice(from, to);
  return from >= to ? undefined : { from, to, secret: value.replace(SCHEME, '').trim() };
};

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** The place of the quotation mark that ends a quoted text; the end of the text if there is none. */
const closedAt = (text: string, from: number, quote: string): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
};
