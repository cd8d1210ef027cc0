/** Any value as plain JSON without secrets. Own code: `safe-stable-stringify` hides nothing; here a field is hidden by its name, and each text is redacted. */

import { REDACTED } from './redactText';
import { isSecretName } from './secretNames';

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };
type Walk = { redact: (text: string) => string; path: readonly object[]; secret: boolean };

const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;

const ofError = (error: Error): Record<string, unknown> => ({
  ...error,
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause === undefined ? {} : { cause: error.cause }),
});

const opened = (value: object): unknown => {
  if (value instanceof Error) return ofError(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return [...value.entries()];
  if (value instanceof Set) return [...value];
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(value) : value;
};

const leaf = (value: unknown, { redact, secret }: Walk): Plain | undefined => {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'boolean') return value;
  if (secret) return REDACTED;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return value.toString();
  return redact(typeof value === 'string' ? value : String(value));
};

const entriesOf = (value: object, walk: Walk): Plain => {
  const keys = Object.keys(value);
  const plain: [string, Plain][] = keys.slice(0, MAX_ENTRIES).flatMap((key): [string, Plain][] => {
    const one = entry(value, key, walk);
    return one === undefined ? [] : [[walk.redact(key), one]];
  });
  const more: [string, Plain][] = keys.length > MAX_ENTRIES ? [['…', `${keys.length - MAX_ENTRIES} more`]] : [];
  return Object.fromEntries([...plain, ...more]);
};

const entry = (value: object, key: string, walk: Walk): Plain | undefined => {
  try {
    const member: unknown = Reflect.get(value, key);
    return plainOf(member, { ...walk, secret: walk.secret || isSecretName(key, member) });
  } catch (error) {
    return `[unreadable: ${walk.redact(String(error))}]`; // a getter that throws must not fail the log
  }
};

const plainOf = (value: unknown, walk: Walk): Plain | undefined => {
  if (typeof value !== 'object' || value === null) return leaf(value, walk);
  if (walk.path.includes(value)) return '[circular]';
  if (walk.path.length >= MAX_DEPTH) return '[deep]';
  const open = opened(value);
  const inner = { ...walk, path: [...walk.path, value] };
  if (typeof open !== 'object' || open === null) return leaf(open, walk);
  if (!Array.isArray(open)) return entriesOf(open, inner);
  const plain = open.slice(0, MAX_ENTRIES).map((one) => plainOf(one, inner) ?? null);
  return open.length > MAX_ENTRIES ? [...plain, `${open.length - MAX_ENTRIES} more`] : plain;
};

/**
 * Turns the fields of a record into plain JSON without secrets, at any depth.
 * @param redact hides secrets inside a text
 * Never throws: circles, deep values, throwing getters and hostile objects become a text that says so.
 */
export const toPlain =
  (redact: (text: string) => string) =>
  (fields: object): Record<string, Plain> => {
    try {
      return entriesOf(fields, { redact, path: [fields], secret: false }) as Record<string, Plain>;
    } catch (error) {
      return { fields: `[unreadable: ${redact(String(error))}]` };
    }
  };
