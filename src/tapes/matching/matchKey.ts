/** Decides when two lines of a client mean the same. */
import { configure } from 'safe-stable-stringify';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import type { ParsedLine, TapeMessage } from '../../protocol/jsonrpc/parseLine';

const stringify = configure({ deterministic: true });

/** JSON with sorted members: one text per value. */
export const toCanonical = (value: unknown): string => stringify(value) ?? 'undefined';

/** The params that are compared: without `_meta`, whose members change from run to run. No params are the same as empty ones. */
export const toMatched = (params: unknown): JsonObject => {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return rest;
};

/**
 * One text per meaning of a line: methods and params, not the ids of requests.
 * @param toRecordedId the recorded id for one that a notification has in its params
 */
export const matchKey = (
  { line, messages }: Pick<ParsedLine, 'line' | 'messages'>,
  toRecordedId: ToRecordedId,
): string => messages.map((message) => messageKey(line, message, toRecordedId)).join('\n');

type ToRecordedId = (id: RequestId) => RequestId;

const messageKey = (line: string, message: TapeMessage, toRecordedId: ToRecordedId): string => {
  switch (message.kind) {
    case 'request':
      return `request ${message.method} ${toCanonical(toMatched(message.params))}`;
    case 'notification':
      return `notification ${message.method} ${toCanonical(withRecordedId(toMatched(message.params), toRecordedId))}`;
    case 'response':
      return `response ${message.id === null ? 'null' : idKey(message.id)} ${toCanonical(message.body)}`;
    case 'other':
      return `text ${line}`;
  }
};

const withRecordedId = (params: JsonObject, toRecordedId: ToRecordedId): JsonObject =>
  typeof params.requestId === 'string' || typeof params.requestId === 'number'
    ? { ...params, requestId: String(toRecordedId(params.requestId)) }
    : params;
