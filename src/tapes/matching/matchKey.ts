/** Decides when two lines of a client mean the same. */
import { configure } from 'safe-stable-stringify';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { type ParsedLine, parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { SessionIndex } from '../session/sessionIndex';

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
 * @param toRecordedId maps a request id in the params of a notification to the recorded one; without it, ids stay
 */
export const matchKey = (
  { line, messages }: Pick<ParsedLine, 'line' | 'messages'>,
  toRecordedId: ToRecordedId = (id) => id,
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

/** Whether a line means the same as the first line of the client in one of these sessions. */
export const opensSession = (sessions: readonly SessionIndex[]): ((line: string) => boolean) => {
  const openings = new Set(
    sessions.flatMap(({ clientLines: [opening] }) => (opening?.kind === 'line' ? [matchKey(opening)] : [])),
  );
  return (line) => openings.has(matchKey(parseLine(line)));
};

/** Members whose texts are pieces, which are joined later. */
const PIECES = /^(?:delta|chunk)$/;

/** The value with `{ json }` in the place of each text that is the JSON of an object or a list. */
export const parseTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return parseText(value);
  if (Array.isArray(value)) return value.map(parseTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, PIECES.test(name) ? part : parseTexts(part)]),
  );
};

const parseText = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return text;
  const { value } = parseLine(text); // text that nests too deep stays text
  return typeof value === 'object' && value !== null ? { json: value } : text;
};
