/** Owns when two lines of a client are the same. */
import { idKey, isObject, type JsonObject, type RequestId } from '../protocol/jsonrpc';
import type { TapeMessage } from './parseLine';

/** JSON with sorted members: one text per value. */
export const toCanonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? 'undefined';

/** Params as they are matched: without `_meta`, which holds what changes from run to run; none are as good as empty ones. */
export const toMatched = (params: unknown): JsonObject => {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return rest;
};

/**
 * One text per meaning of a line: methods and params, not ids.
 * @param ofId what an id that travels in the params of a notification stands for
 */
export const matchKey = (line: string, words: readonly TapeMessage[], ofId: (id: RequestId) => RequestId): string =>
  words.map((word) => wordKey(line, word, ofId)).join('\n');

const wordKey = (line: string, word: TapeMessage, ofId: (id: RequestId) => RequestId): string => {
  switch (word.kind) {
    case 'request':
      return `request ${word.method} ${toCanonical(toMatched(word.params))}`;
    case 'notification':
      return `notification ${word.method} ${toCanonical(translated(toMatched(word.params), ofId))}`;
    case 'response':
      return `response ${word.id === null ? 'null' : idKey(word.id)} ${toCanonical(word.body)}`;
    case 'other':
      return `text ${line}`;
  }
};

const translated = (params: JsonObject, ofId: (id: RequestId) => RequestId): JsonObject =>
  typeof params.requestId === 'string' || typeof params.requestId === 'number'
    ? { ...params, requestId: String(ofId(params.requestId)) }
    : params;
