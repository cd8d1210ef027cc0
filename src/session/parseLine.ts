/** Owns reading a line of the wire as loosely as peers write: releases that leave out `jsonrpc` are words too. */
import { isObject, type JsonObject, type RequestId, rawMember } from '../protocol/jsonrpc';

/** What one message says. `body` is its `result` or `error`; `other` is what is no message. */
export type TapeMessage =
  | { kind: 'request'; id: RequestId; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'response'; id: RequestId | null; body: JsonObject }
  | { kind: 'other' };

/** A line and the messages in it: several for a batch. */
export type ParsedLine = { line: string; value: unknown; messages: TapeMessage[] };

/** No message nests as deep; what follows a value part by part would run out of stack. */
const MAX_DEPTH = 500;

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1)));

/** Reads a line; what is no JSON, or nests too deep, is one word of kind `other`. */
export const parseLine = (line: string): ParsedLine => {
  const other: ParsedLine = { line, value: undefined, messages: [{ kind: 'other' }] };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return other;
  }
  if (line.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)) return other;
  const words = Array.isArray(value) && value.length > 0 ? value.map((one) => toWord(one)) : [toWord(value, line)];
  return { line, value, messages: words };
};

/** The id as it was written: an integer that a double cannot hold stays exact where its line is known. */
const toId = (id: unknown, line?: string): RequestId | null => {
  if (typeof id === 'string') return id;
  if (typeof id !== 'number') return null;
  if (Number.isSafeInteger(id) || line === undefined) return id;
  const raw = rawMember(line, ['id']);
  return raw !== undefined && /^-?\d{1,309}$/.test(raw) ? BigInt(raw) : id;
};

const toWord = (value: unknown, line?: string): TapeMessage => {
  if (!isObject(value)) return { kind: 'other' };
  const id = toId(value.id, line);
  if (typeof value.method === 'string') {
    const { method, params } = value;
    return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  if ('result' in value) return { kind: 'response', id, body: { result: value.result } };
  return 'error' in value ? { kind: 'response', id, body: { error: value.error } } : { kind: 'other' };
};

/** A word in words: its method, and the tool it calls. */
export const labelOf = (word: TapeMessage | undefined): string => {
  if (word === undefined || word.kind === 'other') return 'a line that is no message';
  if (word.kind === 'response') return `the answer to ${word.id}`;
  const { method, params } = word;
  return isObject(params) && typeof params.name === 'string' ? `${method} ${params.name}` : method;
};
