/** Takes secrets out of the lines of a tape, and learns secrets from what it removes. */
import { knownValues } from '../../io/log/knownValues';
import { type Found, findSecrets, mayHoldSecret, replaceIn, type SearchOptions } from '../../io/log/redactText';
import { redactObject, redactValue, type Walk } from '../../io/log/redactValue';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { atOnce, type Pausing } from '../../streams/pausing';

/** What is removed besides recognisable secrets, and who counts it. */
export type RedactDeps = {
  /** Values to remove wherever they occur. */
  secrets: readonly string[];
  /** Gets the kind of what was removed, never the value. */
  onRemoved: (kind: string) => void;
};

/** Redacts texts, lines and objects: keys and tokens as logs hide them, home folders and e-mail addresses. */
export type Redaction = {
  /** The places of the secrets in a text, which count as removed. */
  find: (text: string) => Pausing<readonly Found[]>;
  /** Takes the secrets out of a text. */
  text: (text: string) => Pausing<string>;
  /** The line without secrets; a line without any stays as it was written. What is not JSON, or nests too deep, is treated as text. */
  line: (line: string) => Pausing<string>;
  /** The object without secrets, in its values and in its names. */
  object: (object: JsonObject) => Pausing<JsonObject>;
  /** False only if nothing would be removed from the text or, if it is JSON, from its values. */
  mayHold: (text: string) => boolean;
  /** Whole values that were removed, and values that a name in a text, such as `API_KEY=`, shows to be secrets; 500 at most. */
  learned: () => readonly string[];
};

/** Each learned value slows down all that follows: a server that makes up values must not stall a recorder. */
const MAX_LEARNED = 500;

/** Makes the functions. */
export const redactionOf = ({ secrets, onRemoved }: RedactDeps): Redaction => {
  const options: SearchOptions = { known: knownValues(secrets), personal: true };
  const { learn, learned } = learning(options);
  function* find(text: string, isId = false): Pausing<readonly Found[]> {
    const found = yield* findSecrets({ ...options, isId }, text);
    for (const { kind, secret } of found) {
      onRemoved(kind);
      if (secret !== undefined && isSecretInText(secret)) learn(secret);
    }
    return found;
  }
  function* textOf(text: string, isId: boolean): Pausing<string> {
    return replaceIn(text, yield* find(text, isId));
  }
  const removed = (value: string | number): void => {
    onRemoved('named value');
    if (typeof value === 'string') learn(value.replace(SCHEME, ''));
  };
  const walk: Walk = { text: textOf, removed };
  const text = (one: string): Pausing<string> => textOf(one, false);
  return {
    find,
    text,
    line: (line) => redactLine({ options, walk, text }, line),
    object: (object) => redactObject(walk, object),
    mayHold: (text) => atOnce(mayHoldSecret(options, text)),
    learned,
  };
};

const learning = ({ known }: SearchOptions) => {
  const learned = new Set<string>();
  const learn = (secret: string): void => {
    if (!isSecretEverywhere(secret) || learned.size >= MAX_LEARNED || learned.has(secret)) return;
    learned.add(secret);
    known.add(secret);
  };
  return { learn, learned: () => [...learned] };
};

type LineDeps = Pick<Redaction, 'text'> & { options: SearchOptions; walk: Walk };

function* redactLine({ options, walk, text }: LineDeps, line: string): Pausing<string> {
  if (!(yield* mayHoldSecret(options, line))) return line;
  try {
    const value: unknown = JSON.parse(line);
    const redacted = JSON.stringify(yield* redactValue(walk, value));
    yield;
    return redacted === JSON.stringify(value) ? line : redacted;
  } catch {
    return yield* text(line);
  }
}

/** The scheme before the credential in a header. */
const SCHEME = /^[A-Za-z][\w-]{0,30}\s+(?=\S+$)/;

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
