/** Owns taking secrets out of a tape. What a secret looks like in text is log's; here are its places in messages. */
import { isSecretName, REDACTED, redactText } from '../log';
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import type { Said, TapeItem } from './tape';

/** What was removed, by kind. */
export type Removed = Record<string, number>;

/** `secrets` are values that never stay; `tell` hears of each thing removed by its kind. */
export type RedactDeps = { secrets: readonly string[]; tell: (kind: string) => void };

/** Patterns of a person rather than of a key; what is kept of a match stands in the first group. */
const PERSONAL: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'home path',
    /((?:\/home|\/Users)\/|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))(?!\[redacted\])[^\s/\\"'`:;,<>|)\]}]+/g,
  ],
  ['e-mail', /()(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}\b/g],
];

/** Ids of requests, not secrets, whatever their names say. */
const NO_SECRET = /^progressToken$/;
/** Members that hold bytes as base64. */
const BYTES = /^chunk$|base64$/i;
/** An argument whose value is the next one. */
const FLAG = /^--?[\w-]+$/;
/** A name as those of headers and variables are. */
const PLAIN_NAME = /^[\w-]+$/;

type Hide = (text: string) => string;

const hiding = ({ secrets, tell }: RedactDeps): Hide => {
  const keys = redactText({ secrets, maxChars: Number.POSITIVE_INFINITY, tell });
  return (text) =>
    PERSONAL.reduce(
      (rest, [kind, pattern]) =>
        rest.replace(pattern, (_, kept: string) => {
          tell(kind);
          return `${kept}${REDACTED}`;
        }),
      keys(text),
    );
};

const inValue = (hide: Hide, tell: RedactDeps['tell'], value: unknown, name: string): unknown => {
  const isSecret = name !== '' && !NO_SECRET.test(name) && isSecretName(name, value);
  if (isSecret && (typeof value === 'number' || (typeof value === 'string' && value !== '' && value !== REDACTED))) {
    tell('named value');
    return REDACTED;
  }
  if (typeof value === 'string') return BYTES.test(name) ? inBytes(hide, value) : hide(value);
  if (Array.isArray(value)) return value.map((one, i) => inValue(hide, tell, one, nameIn(value, i) ?? name));
  return isObject(value) ? inObject(hide, tell, value) : value;
};

/** The name that an argument gives to the next one of its list. */
const nameIn = (list: readonly unknown[], i: number): string | undefined => {
  const [before, value] = [list[i - 1], list[i]];
  if (typeof before !== 'string' || typeof value !== 'string') return undefined;
  return FLAG.test(before) && !FLAG.test(value) && isSecretName(before, toNumber(value)) ? before : undefined;
};

/** A text that counts is a number to isSecretName. */
const toNumber = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/** Names of a member's value: its own, or for `value` the one that stands beside it, as lists of headers and variables have it. */
const nameOf = ({ name, key = name }: JsonObject, own: string): string =>
  own === 'value' && typeof key === 'string' && PLAIN_NAME.test(key) ? key : own;

const inObject = (hide: Hide, tell: RedactDeps['tell'], object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [hide(name), inValue(hide, tell, value, nameOf(object, name))]),
  );

const inBytes = (hide: Hide, base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return hide(base64);
  const text = bytes.toString('utf8');
  const hidden = hide(text);
  return hidden === text ? base64 : Buffer.from(hidden).toString('base64');
};

/** Takes the secrets out of a line of the wire; one without stays as it was written. What is no JSON, or nests too deep, is text. */
const inLine = (hide: Hide, tell: RedactDeps['tell'], line: string): string => {
  try {
    const value: unknown = JSON.parse(line);
    const hidden = JSON.stringify(inValue(hide, tell, value, ''));
    return hidden === JSON.stringify(value) ? line : hidden;
  } catch {
    return hide(line);
  }
};

/** The members of an entry that the format does not name; other recorders have some. */
const unnamed = (said: Said & { t?: number }): JsonObject => {
  const { t, dir, line, seam, end, bytes, call, ...more } = said;
  return more;
};

/** Functions that take the secrets out of what was said and of a session's meta. */
export type Redacting = { said: <T extends Said>(said: T) => T; meta: (meta: JsonObject) => JsonObject };

/** Makes these functions; of a line that is no UTF-8 only the text stays, when it held a secret. */
export const redacting = (deps: RedactDeps): Redacting => {
  const hide = hiding(deps);
  return {
    said: (said) => {
      const line = inLine(hide, deps.tell, said.line);
      const { bytes, ...rest } = said;
      const more = inObject(hide, deps.tell, unnamed(said));
      return { ...(line === said.line ? said : { ...rest, line }), ...more } as typeof said;
    },
    meta: ({ redacted, ...meta }) => inObject(hide, deps.tell, meta),
  };
};

/** What redacting a whole tape comes to; each thing removed has its line. */
export type Redaction = { items: TapeItem[]; removed: { lineNumber: number; kind: string }[] };

/** Takes the secrets out of a tape, its bad lines included; each session says so in its meta. */
export const redactTape = (items: readonly TapeItem[], secrets: readonly string[]): Redaction => {
  const removed: Redaction['removed'] = [];
  const at = { lineNumber: 0 };
  const deps: RedactDeps = { secrets, tell: (kind) => removed.push({ lineNumber: at.lineNumber, kind }) };
  const { said, meta } = redacting(deps);
  const hide = hiding(deps);
  const redacted = items.map((item): TapeItem => {
    at.lineNumber = item.lineNumber;
    if (item.kind === 'entry') return { ...item, entry: said(item.entry) };
    if (item.kind === 'meta') return { ...item, meta: meta(item.meta) };
    return item.kind === 'bad' ? { ...item, text: hide(item.text) } : item;
  });
  const counts = toCounts(removed);
  const begins = redacted.find(({ kind }) => kind === 'meta' || kind === 'entry')?.kind;
  const first: TapeItem[] = begins === 'meta' ? [] : [{ kind: 'meta', lineNumber: 0, meta: {} }];
  return {
    items: [...first, ...redacted].map((item) =>
      item.kind === 'meta' ? { ...item, meta: { ...item.meta, redacted: counts } } : item,
    ),
    removed,
  };
};

/** How often each kind was removed. */
export const toCounts = (removed: Redaction['removed']): Removed => {
  const counts: Removed = {};
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
