/** Any value as plain JSON without secrets. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { atOnce, type Pausing } from '../../streams/pausing';
import { redactObject } from './redactValue';

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

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

const leaf = (value: unknown): Plain | undefined => {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
};

const entriesOf = (value: object, path: readonly object[]): Plain => {
  const keys = Object.keys(value);
  const plain: [string, Plain][] = keys.slice(0, MAX_ENTRIES).flatMap((key): [string, Plain][] => {
    const one = entry(value, key, path);
    return one === undefined ? [] : [[key, one]];
  });
  const more: [string, Plain][] = keys.length > MAX_ENTRIES ? [['…', `${keys.length - MAX_ENTRIES} more`]] : [];
  return Object.fromEntries([...plain, ...more]);
};

const entry = (value: object, key: string, path: readonly object[]): Plain | undefined => {
  try {
    return plainOf(Reflect.get(value, key), path);
  } catch (error) {
    return `[unreadable: ${String(error)}]`; // a getter that throws must not fail the log
  }
};

const plainOf = (value: unknown, path: readonly object[]): Plain | undefined => {
  if (typeof value !== 'object' || value === null) return leaf(value);
  if (path.includes(value)) return '[circular]';
  if (path.length >= MAX_DEPTH) return '[deep]';
  const open = opened(value);
  const inner = [...path, value];
  if (typeof open !== 'object' || open === null) return leaf(open);
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
  (fields: object): JsonObject =>
    atOnce(redactObject({ text: inOneStep(redact), removed: () => {} }, plainFields(fields)));

const inOneStep = (redact: (text: string) => string) =>
  function* (text: string): Pausing<string> {
    yield;
    return redact(text);
  };

const plainFields = (fields: object): JsonObject => {
  try {
    return entriesOf(fields, [fields]) as JsonObject;
  } catch (error) {
    return { fields: `[unreadable: ${String(error)}]` };
  }
};
