/** Owns reading a client's params, with the words the original's decoder has for what is wrong. */
import { INVALID_PARAMS, isObject, type JsonObject, RpcError } from '../../protocol/jsonrpc';
import { MAX_TIMER_MS } from '../../streams';

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  return `${typeof value === 'boolean' ? 'boolean' : 'number'} \`${value}\``;
};

const wrong = (value: unknown, expected: string): RpcError =>
  invalid(`invalid type: ${shown(value)}, expected ${expected}`);

/** The params of a method that has some. */
export const fieldsOf = (params: unknown): JsonObject => {
  if (isObject(params)) return params;
  throw wrong(params, 'a map');
};

const required = (fields: JsonObject, name: string): unknown => {
  if (fields[name] === undefined) throw invalid(`missing field \`${name}\``);
  return fields[name];
};

const toText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw wrong(value, 'a string');
};

const toFlag = (value: unknown): boolean => {
  if (typeof value === 'boolean') return value;
  throw wrong(value, 'a boolean');
};

const toTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(toText);
  throw wrong(value, 'a sequence');
};

const toTextMap = (value: unknown): Record<string, string> => {
  if (!isObject(value)) throw wrong(value, 'a map');
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, toText(text)]));
};

const toCount = (value: unknown): number => {
  if (typeof value !== 'number') throw wrong(value, 'u64');
  if (!Number.isInteger(value) || value < 0) throw invalid('invalid number');
  return Math.min(value, Number.MAX_SAFE_INTEGER); // beyond it Node reads files from somewhere else
};

/** Two of these are a time a timer can wait for; it does not wait at all for longer ones. */
const LONGEST_MS = Math.floor(MAX_TIMER_MS / 2);
const toMillis = (value: unknown): number => Math.min(toCount(value), LONGEST_MS);

const toWord =
  <W extends string>(words: readonly W[]) =>
  (value: unknown): W => {
    const word = words.find((one) => one === toText(value));
    if (word !== undefined) return word;
    const known = words.map((one) => `\`${one}\``);
    const expected = known.length > 2 ? `one of ${known.join(', ')}` : known.join(' or ');
    throw invalid(`unknown variant \`${value}\`, expected ${expected}`);
  };

const reader =
  <T>(to: (value: unknown) => T) =>
  (fields: JsonObject, name: string): T =>
    to(required(fields, name));

const optional =
  <T>(to: (value: unknown) => T) =>
  (fields: JsonObject, name: string): T | undefined =>
    fields[name] === undefined || fields[name] === null ? undefined : to(fields[name]);

export const text = reader(toText);
export const texts = reader(toTexts);
export const textMap = reader(toTextMap);
export const flag = reader(toFlag);
export const count = reader(toCount);
export const millis = reader(toMillis);
export const optionalText = optional(toText);
export const optionalFlag = optional(toFlag);
export const optionalCount = optional(toCount);
export const optionalMillis = optional(toMillis);
export const word = <W extends string>(fields: JsonObject, name: string, words: readonly W[]): W =>
  reader(toWord(words))(fields, name);
export const optionalWord = <W extends string>(fields: JsonObject, name: string, words: readonly W[]): W | undefined =>
  optional(toWord(words))(fields, name);
export const optionalFields = optional(fieldsOf);

/** Base64 as bytes, or what is wrong with it. */
export const decodeBase64 = (encoded: string): Buffer | string => {
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return Buffer.from(encoded, 'base64');
  const bad = /[^A-Za-z0-9+/=]/.exec(encoded);
  return bad ? `Invalid symbol ${bad[0].charCodeAt(0)}, offset ${bad.index}.` : 'Invalid padding';
};

/** Bytes given as padded base64. */
export const bytes = (fields: JsonObject, name: string): Buffer => {
  const decoded = decodeBase64(text(fields, name));
  if (typeof decoded === 'string') throw invalid(decoded);
  return decoded;
};

/** An absolute path, given as a `file:` URI or as it stands. */
export const path = (fields: JsonObject, name: string): string => {
  const given = text(fields, name);
  if (given.startsWith('/')) return given;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(given)?.[1]?.toLowerCase();
  if (scheme === undefined) throw invalid(`path is not absolute: ${given}`);
  if (scheme !== 'file') throw invalid(`unsupported path URI scheme \`${scheme}\``);
  if (!URL.canParse(given)) throw invalid(`invalid URI: ${given}`);
  const { host, pathname } = new URL(given);
  if (host !== '')
    throw invalid(`${name} URI \`${given}\` is not valid on this exec-server host: it names another host`);
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw invalid(`invalid URI: ${given}`);
  }
};
