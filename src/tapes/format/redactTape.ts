/** Takes the secrets out of a tape, while it is recorded or afterwards. */
import { knownValues } from '../../io/log/knownValues';
import {
  type Found,
  findSecrets,
  mayHoldSecret,
  REDACTED,
  replaceIn,
  type SearchOptions,
} from '../../io/log/redactText';
import { redactObject, redactValue, type Walk, withoutDepths } from '../../io/log/redactValue';
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import { atOnce, type Pausing } from '../../streams/pausing';
import { redactPieces } from './redactPieces';
import type { RecordedLine, TapeItem } from './tape';
import { withLength } from './tapeLines';

/** Functions that take out secrets. */
export type Redactor = Pick<Redaction, 'find' | 'text' | 'mayHold' | 'learned'> & {
  /** Redacts a recorded line, and all its other members. */
  line: <T extends RecordedLine>(recorded: T) => Pausing<T>;
  /** Redacts the first line of a session. */
  meta: (meta: JsonObject) => JsonObject;
};

/** A value that was removed once is removed from all later lines. If a line that is not UTF-8 held a secret, only its text stays. */
export const redactor = (deps: RedactDeps): Redactor => {
  const redaction = redactionOf(deps);
  const keys = keyLines(deps.onRemoved);
  return {
    ...redaction,
    mayHold: (lines) => keys.isOpen() || redaction.mayHold(lines),
    line: function* (recorded) {
      const { line, bytes, ...others } = recorded;
      const redacted = yield* redaction.line(keys.line(`${recorded.dir} ${recorded.seam}`, line));
      const isSame = redacted === line;
      const more = yield* redaction.object(isSame && bytes !== undefined ? { ...others, bytes } : others);
      return withLength({ ...recorded, ...more, line: redacted, ...(!isSame && { bytes: undefined }) });
    },
    meta: ({ redacted, ...meta }) => atOnce(redaction.object(meta)),
  };
};

/** A redacted tape, and the line and the kind of each thing removed. */
type RedactedTape = { items: TapeItem[]; removed: { lineNumber: number; kind: string }[] };

/**
 * Takes the secrets out of a tape, also out of its bad lines; the meta of each session counts what was removed. A value that is removed in one place
 * is removed everywhere, also before it; a secret that is split between deltas is removed from all of them.
 */
export const redactTape = (items: readonly TapeItem[], secrets: readonly string[]): RedactedTape => {
  const removed: RedactedTape['removed'] = [];
  let lineNumber = 0;
  const first = redactor({ secrets, onRemoved: () => {} });
  for (const item of items) redactItem(first)(item);
  const known = [...secrets, ...first.learned()];
  const last = redactor({ secrets: known, onRemoved: (kind) => removed.push({ lineNumber, kind }) });
  const pieces = redactPieces(items, (text, at) => {
    lineNumber = at;
    return last.find(text);
  });
  const redacted = atOnce(pieces).map((item) => {
    lineNumber = item.lineNumber;
    return redactItem(last)(item);
  });
  const counts = countKinds(removed);
  return { items: withMeta(redacted).map((item) => withCounts(item, counts)), removed };
};

/** An item without its secrets. */
export const redactItem =
  ({ line, meta, text }: Redactor) =>
  (item: TapeItem): TapeItem => {
    if (item.kind === 'entry') return { ...item, entry: atOnce(line(item.entry)) };
    if (item.kind === 'meta') return { ...item, meta: meta(item.meta) };
    return item.kind === 'bad' ? { ...item, text: atOnce(text(item.text)) } : item;
  };

/** A tape whose first session has no meta gets one. */
const withMeta = (items: readonly TapeItem[]): TapeItem[] => {
  const first = items.find(({ kind }) => kind === 'meta' || kind === 'entry');
  return first?.kind === 'meta' ? [...items] : [{ kind: 'meta', lineNumber: 0, meta: {} }, ...items];
};

const withCounts = (item: TapeItem, redacted: Record<string, number>): TapeItem =>
  item.kind === 'meta' ? { ...item, meta: { ...item.meta, redacted } } : item;

/** How often each kind was removed. */
export const countKinds = (removed: readonly { kind: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Follows private keys, whose lines come one by one. */
type KeyLines = {
  /** The line without its part of a key. @param stream names the lines that belong together */
  line: (stream: string, line: string) => string;
  /** A key has begun in some stream, and has not ended. */
  isOpen: () => boolean;
};

const BEGIN = /-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY|Static key)[A-Za-z0-9 ]{0,10} ?-{4,5}|Private-Lines: /g;
const END = /-{4,5} ?END |Private-MAC: /;

/** Lines without a part of the key, such as those of other messages, after which it counts as ended. */
const MAX_OTHERS = 64;

/** Starts without an open key. */
export const keyLines = (onRemoved: (kind: string) => void): KeyLines => {
  const open = new Map<string, number>();
  const line: KeyLines['line'] = (stream, before) => {
    const others = open.get(stream);
    const after = others === undefined ? before : withoutKey(before);
    if (after !== before) onRemoved('private key');
    if (isBegun(before)) open.set(stream, 0);
    else if (others !== undefined && (END.test(before) || others >= MAX_OTHERS)) open.delete(stream);
    else if (others !== undefined) open.set(stream, after === before ? others + 1 : 0);
    return after;
  };
  return { line, isOpen: () => open.size > 0 };
};

/** Whether a key begins in a text that does not end in it. */
const isBegun = (text: string): boolean => {
  const begin = [...text.matchAll(BEGIN)].at(-1);
  return begin !== undefined && !END.test(text.slice(begin.index + begin[0].length));
};

/** A message keeps its members; only texts that are parts of a key are removed. */
const withoutKey = (line: string): string => {
  const message = parseJson(line);
  if (!isObject(message) && !Array.isArray(message)) return withoutPart(line);
  return JSON.stringify(message, (_, value) => (typeof value === 'string' && isPart(value) ? REDACTED : value));
};

/** Base64 as mixed as that of a key, or padded. */
const isPart = (text: string): boolean =>
  /^[A-Za-z0-9+/\r\n]{4,}={0,2}$/.test(text.trimEnd()) &&
  (text.trimEnd().endsWith('=') || (/\d|\+/.test(text) && /[A-Z]/.test(text)) || /\w{48}/.test(text));

/** A line of a key is one word, or a header; a log may have something before it. */
const withoutPart = (line: string): string => {
  if (END.test(line) || line.trim() === '') return line;
  if (/^(?:\S+|[A-Z][A-Za-z-]+: .*)$/.test(line.trim())) return REDACTED;
  return line.replace(/[A-Za-z0-9+/]{16,}={0,2}|(?<!\S)\S*=$/g, REDACTED);
};

/** What is removed besides recognisable secrets, and who counts it. */
type RedactDeps = {
  /** Values to remove wherever they occur. */
  secrets: readonly string[];
  /** Gets the kind of what was removed, never the value. */
  onRemoved: (kind: string) => void;
};

/** Redacts texts, lines and objects: keys and tokens as logs hide them, home folders and e-mail addresses. */
type Redaction = {
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
    const whole = withoutDepths(line, value);
    const redacted = JSON.stringify(yield* redactValue(walk, whole));
    yield;
    if (redacted !== JSON.stringify(whole)) return redacted;
    return whole === value ? line : yield* text(line);
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
