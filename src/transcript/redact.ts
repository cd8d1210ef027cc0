/** Owns taking secrets out of a tape. What a secret looks like in text is log's; here are its places in messages. */
import { isSecretName, REDACTED, redactText } from '../log';
import { isObject, type JsonObject } from '../protocol';
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
/** Bytes as base64. */
const BYTES = 'chunk';

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
  if (typeof value === 'string') return name === BYTES ? inBytes(hide, value) : hide(value);
  if (Array.isArray(value)) return value.map((one) => inValue(hide, tell, one, name));
  return isObject(value) ? inObject(hide, tell, value) : value;
};

const inObject = (hide: Hide, tell: RedactDeps['tell'], object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [hide(name), inValue(hide, tell, value, name)]));

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

/** Functions that take the secrets out of what was said and of a session's meta. */
export type Redacting = { said: <T extends Said>(said: T) => T; meta: (meta: JsonObject) => JsonObject };

/** Makes these functions; of a line that is no UTF-8 only the text stays, when it held a secret. */
export const redacting = (deps: RedactDeps): Redacting => {
  const hide = hiding(deps);
  return {
    said: (said) => {
      const line = inLine(hide, deps.tell, said.line);
      const { bytes, ...rest } = said;
      return line === said.line ? said : ({ ...rest, line } as typeof said);
    },
    meta: (meta) => inObject(hide, deps.tell, meta),
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
  const first: TapeItem[] = redacted.some(({ kind }) => kind === 'meta')
    ? []
    : [{ kind: 'meta', lineNumber: 0, meta: {} }];
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
