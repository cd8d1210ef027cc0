/** Parses a line of the wire as loosely as peers write: messages without `jsonrpc` and messages of debug adapters count too. */
import { isObject, isTooDeep, type JsonObject, mayBeTooDeep } from './json';
import type { RequestId } from './messages';
import { readId } from './rawMembers';

/** A message of a line. */
export type TapeMessage =
  | { kind: 'request'; id: RequestId; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  /** `body` has the `result` or the `error`. */
  | { kind: 'response'; id: RequestId | null; body: JsonObject }
  /** Not a message. */
  | { kind: 'other' };

/** A line and the messages in it: several for a batch. */
export type ParsedLine = { line: string; value: unknown; messages: TapeMessage[] };

/** A tape may hold a value that its daemon refused as too deep; recursion over it would overflow the stack. */
const MAX_DEPTH = 500;

/** Parses a line; what is not JSON, or nests too deep, is one message of kind `other`. */
export const parseLine = (line: string): ParsedLine => {
  const other: ParsedLine = { line, value: undefined, messages: [{ kind: 'other' }] };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return other;
  }
  if (mayBeTooDeep(line) && isTooDeep(value, MAX_DEPTH)) return other;
  return { line, value, messages: messagesIn(value, line) };
};

/** The messages of a value that was parsed before. @param line its line, if it is known */
export const messagesIn = (value: unknown, line?: string): TapeMessage[] =>
  Array.isArray(value) && value.length > 0 ? value.map((one) => toMessage(one)) : [toMessage(value, line)];

/** The id as it was written: an integer that a double cannot hold stays exact if its line is known. */
const toId = (id: unknown, line?: string): RequestId | null =>
  typeof id === 'number' && line === undefined ? id : readId(id, () => line ?? '');

const toMessage = (value: unknown, line?: string): TapeMessage => {
  if (!isObject(value)) return { kind: 'other' };
  if (isOfDebugAdapter(value)) return toDebugMessage(value);
  const id = toId(value.id, line);
  if (typeof value.method === 'string') {
    const { method, params } = value;
    return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  if ('result' in value) return { kind: 'response', id, body: { result: value.result } };
  return 'error' in value ? { kind: 'response', id, body: { error: value.error } } : { kind: 'other' };
};

/** True for a message of a debug adapter. Source: Debug Adapter Protocol 1.70, Base Protocol. */
export const isOfDebugAdapter = (value: JsonObject): boolean =>
  typeof value.seq === 'number' && typeof value.type === 'string' && value.jsonrpc === undefined;

const toDebugMessage = (value: JsonObject): TapeMessage => {
  const { type, seq, command, event, body, request_seq: id } = value;
  if (type === 'request' && typeof command === 'string') {
    return { kind: 'request', id: seq as number, method: command, params: value.arguments };
  }
  if (type === 'event' && typeof event === 'string') return { kind: 'notification', method: event, params: body };
  if (type !== 'response' || typeof id !== 'number') return { kind: 'other' };
  return {
    kind: 'response',
    id,
    body: value.success === false ? { error: { message: value.message, body } } : { result: body ?? {} },
  };
};

/** A label for a message: its method, and the tool it calls. */
export const labelOf = (message: TapeMessage | undefined): string => {
  if (message === undefined || message.kind === 'other') return 'a line that is not a message';
  if (message.kind === 'response') return `the response to ${message.id}`;
  const { method, params } = message;
  return isObject(params) && typeof params.name === 'string' ? `${method} ${params.name}` : method;
};
