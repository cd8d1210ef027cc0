/** JSON: its shapes, reading and writing it, and how deep it may be nested. */

/** An object of JSON whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** A JSON Schema of dialect 2020-12 with an object at its root. */
export type JsonSchema = JsonObject;

/** True for a JSON object: not null, not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a text; undefined if the text is not JSON or is nested too deeply: no JSON value is undefined. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
};

/** The object of a text; undefined if the text is not JSON, or another value. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};

/** The value if it is an object, else an object without members. */
export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** True for a text. */
export const isText = (value: unknown): value is string => typeof value === 'string';

/** The value if it is a text, else the empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A value of a peer as text, whatever it is: `String` throws for an object such as `{"toString":1}`. */
export const wordOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? toJson(value) : String(value);

/** Source: serde_json, with which Codex reads, stops at 128 levels; JSON.stringify overflows the stack at some 5,000. */
export const MAX_LEVELS = 256;

/** True for JSON whose value may be too deep: each level takes at least two characters. */
export const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_LEVELS;

/** True for a value of more than 256 levels, such as `[[…]]`: walking through it would overflow the stack and end the server. */
export const isTooDeep = (value: unknown, levels = MAX_LEVELS): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((part) => isTooDeep(part, levels - 1));
  for (const name in value) if (isTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
};

/** JSON text in which a bigint keeps all its digits. */
export const toJson = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
    return writeExactly(value) as string;
  }
};

/** Like JSON.stringify, part by part; undefined for a value that JSON cannot express. */
const writeExactly = (value: unknown): string | undefined => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((part) => writeExactly(part) ?? 'null').join(',')}]`;
  if (!isObject(value) || typeof value.toJSON === 'function') return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, part]) => {
    const text = writeExactly(part);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
};

/** The object without its members that are undefined, so that objects with equal values are equal. */
export const withoutUndefined = <T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;

/** A JSON value with each text in it changed by `change`, the names of members too. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), mapTexts(one, change)]));
};

/** The entry of a table under a name from outside, which may also be the name of a property that every object has. */
export const ownOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
