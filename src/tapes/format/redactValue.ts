/** Takes secrets out of texts and JSON values. `io/log` knows secrets by their form in a text; here they are known by their place in a message. */
import { mayHoldSecret } from '../../io/log/mayHoldSecret';
import { mayHoldValues, REDACTED, redactText } from '../../io/log/redactText';
import { isSecretName } from '../../io/log/secretNames';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** What is removed besides recognisable secrets, and who counts it. */
export type RedactDeps = {
  /** Values to remove wherever they occur. */
  secrets: readonly string[];
  /** Gets the kind of what was removed, never the value. */
  onRemoved: (kind: string) => void;
};

/** Redacts texts, and learns secrets from what it removes. */
type Redaction = {
  /** Takes the secrets out of a text. */
  text: (text: string) => string;
  /** False only if nothing would be removed from the text or, if it is JSON, from its values. */
  mayHold: (text: string) => boolean;
  /** Reports a value that was removed as a whole; from then on it is removed wherever it occurs. */
  removed: (kind: string, value: unknown) => void;
  /** These values, and values that a name in a text, such as `API_KEY=`, shows to be secrets; 500 at most. */
  learned: () => readonly string[];
};

/** Ids of requests, not secrets, although their names look like one. */
const NO_SECRET = /^progressToken$/;
/** Members that hold bytes as base64. */
const BYTES = /^chunk$|base64$/i;
/** An argument whose value is the next argument. */
const FLAG = /^--?[\w-]+$/;
/** A name as headers and variables have it. */
const PLAIN_NAME = /^[\w-]+$/;

/** Each learned value slows down all that follows: a server that makes up values must not stall a recorder. */
const MAX_LEARNED = 500;

/** Makes the functions that redact texts: keys and tokens as logs hide them, then home folders and e-mail addresses. */
export const redactionOf = ({ secrets, onRemoved }: RedactDeps): Redaction => {
  const onHidden: Parameters<typeof redactText>[0]['onHidden'] = (kind, secret) => {
    onRemoved(kind);
    if (secret !== undefined && isSecretInText(secret)) learn(secret);
  };
  const hiding = (known: readonly string[]) =>
    redactText({ secrets: known, maxChars: Number.POSITIVE_INFINITY, onHidden });
  let learned: readonly string[] = [];
  let hideKeys = hiding(secrets);
  let mayHoldKnown = mayHoldValues(secrets);
  const mayHold = (text: string): boolean => mayHoldSecret(text) || mayHoldKnown(text);
  const learn = (value: unknown): void => {
    const secret = typeof value === 'string' ? value.replace(SCHEME, '') : '';
    if (!isSecretEverywhere(secret) || learned.length >= MAX_LEARNED || learned.includes(secret)) return;
    learned = [...learned, secret];
    hideKeys = hiding([...secrets, ...learned]);
    mayHoldKnown = mayHoldValues([...secrets, ...learned]);
  };
  return {
    text: (text) => (mayHold(text) ? hidePersonal(hideKeys(text), onRemoved) : text),
    mayHold,
    removed: (kind, value) => {
      onRemoved(kind);
      learn(value);
    },
    learned: () => learned,
  };
};

/**
 * The value without secrets.
 * @param name of the member that holds it, '' for none
 */
const redactValue = (redaction: Redaction, value: unknown, name = ''): unknown => {
  if (isRedactable(value) && isSecretMember(name, value)) {
    redaction.removed('named value', value);
    return REDACTED;
  }
  if (typeof value === 'string') return BYTES.test(name) ? redactBytes(redaction, value) : redaction.text(value);
  if (Array.isArray(value)) return value.map((one, i) => redactValue(redaction, one, nameIn(value, i) ?? name));
  return isObject(value) ? redactObject(redaction, value) : value;
};

/** The scheme before the credential in a header. */
const SCHEME = /^(?:bearer|basic|digest)\s+/i;

/** Whether a value in a text, which may be code, is a secret: several words, or letters with digits. */
const isSecretInText = (value: string): boolean =>
  / /.test(value)
    ? value.length >= MIN_PHRASE_CHARS
    : /\d|=$/.test(value) && /[A-Za-z]/.test(value) && PLAIN.test(value);

const MIN_PHRASE_CHARS = 12;
const PLAIN = /^[\w+/=.~!@#%^&*:-]+$/;

/** Whether a value is a secret wherever it occurs; an ordinary word, such as `string` or `required`, is not. */
const isSecretEverywhere = (value: string): boolean =>
  value.length >= MIN_SECRET_CHARS && (/[^A-Za-z_-]/.test(value) || value.length >= MIN_WORD_CHARS);

const MIN_SECRET_CHARS = 8;
const MIN_WORD_CHARS = 20;

/** The object without secrets, in its values and in its names. */
export const redactObject = (redaction: Redaction, object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      redaction.text(name),
      redactValue(redaction, value, nameOf(object, name)),
    ]),
  );

/** The line without secrets; a line without any stays as it was written. What is not JSON, or nests too deep, is treated as text. */
export const redactLine = (redaction: Redaction, line: string): string => {
  if (!redaction.mayHold(line)) return line;
  try {
    const value: unknown = JSON.parse(line);
    const redacted = JSON.stringify(redactValue(redaction, value));
    return redacted === JSON.stringify(value) ? line : redacted;
  } catch {
    return redaction.text(line);
  }
};

const isRedactable = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value !== REDACTED);

const isSecretMember = (name: string, value: unknown): boolean =>
  name !== '' && !NO_SECRET.test(name) && isSecretName(name, value);

/** The name that an argument gives to the next one of its list. */
const nameIn = (list: readonly unknown[], i: number): string | undefined => {
  const [before, value] = [list[i - 1], list[i]];
  if (typeof before !== 'string' || typeof value !== 'string') return undefined;
  return FLAG.test(before) && !FLAG.test(value) && isSecretName(before, toNumber(value)) ? before : undefined;
};

/** A count as a number: `isSecretName` distinguishes counts from secrets by their type, but arguments are texts. */
const toNumber = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/** The name of a member's value: its own name, or for `value` the text of `name` or `key` next to it, as in lists of headers and variables. */
const nameOf = ({ name, key = name }: JsonObject, own: string): string =>
  own === 'value' && typeof key === 'string' && PLAIN_NAME.test(key) ? key : own;

const redactBytes = (redaction: Redaction, base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return redaction.text(base64);
  const text = bytes.toString('utf8');
  const redacted = redaction.text(text);
  return redacted === text ? base64 : Buffer.from(redacted).toString('base64');
};

/** Patterns of personal data, not of keys. The first group is kept. */
const PERSONAL: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'home path',
    /((?:\/home|\/Users)\/|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))(?!\[redacted\])[^\s/\\"'`:;,<>|)\]}]+/g,
  ],
  ['e-mail', /()(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}\b/g],
];

/** The text without names of home folders and e-mail addresses. */
export const hidePersonal = (text: string, onRemoved: (kind: string) => void): string =>
  PERSONAL.reduce(
    (before, [kind, pattern]) =>
      before.replace(pattern, (_, kept: string) => {
        onRemoved(kind);
        return `${kept}${REDACTED}`;
      }),
    text,
  );
