/** Owns the way between one line of text and one message, both ways. */
import { isObject, type JsonObject } from './json';
import {
  type Fault,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  type Outgoing,
  PARSE_ERROR,
  type RequestId,
  type Response,
} from './jsonrpc';
import { rawMember } from './rawMember';

/**
 * Reads one line. Never throws: what is no message becomes a `fault` that says how to answer it.
 * Source: JSON-RPC 2.0 sections 4 to 6.
 */
export const decodeMessage = (line: string): Message => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fault(null, PARSE_ERROR, `Parse error: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) return toMessage(value, line);
  if (value.length === 0) return fault(null, INVALID_REQUEST, 'Invalid Request: an empty batch');
  const messages = value.map((member) => toMessage(member, ''));
  const size = messages.filter((message) => message.kind === 'request' || message.kind === 'fault').length;
  const batch = { size };
  return {
    kind: 'batch',
    messages: messages.map((m) => (m.kind === 'request' || m.kind === 'fault' ? { ...m, batch } : m)),
  };
};

const fault = (id: RequestId | null, code: number, message: string): Fault => ({ kind: 'fault', id, code, message });

type Single = Exclude<Message, { kind: 'batch' }>;

const toMessage = (value: unknown, line: string): Single => {
  if (!isObject(value)) return fault(null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
  const id = 'id' in value ? toId(value.id, line) : undefined;
  const readable = id ?? null;
  if (value.jsonrpc !== '2.0') return fault(readable, INVALID_REQUEST, 'Invalid Request: jsonrpc must be "2.0"');
  if ('method' in value) return toCall(value, id, line);
  if ('result' in value || 'error' in value) return toResponse(value, id);
  return fault(readable, INVALID_REQUEST, 'Invalid Request: method is missing');
};

/** undefined: the message has no id; null: it has one that cannot be used. */
const toId = (id: unknown, line: string): RequestId | null => {
  if (typeof id === 'string') return id;
  if (typeof id !== 'number') return null;
  return Number.isSafeInteger(id) ? id : exactNumber(id, line, ['id']);
};

const exactNumber = (rounded: number, line: string, path: readonly string[]): number | bigint | null => {
  const raw = rawMember(line, path);
  if (raw !== undefined && /^-?\d+$/.test(raw)) return BigInt(raw);
  return Number.isFinite(rounded) ? rounded : null;
};

const toCall = (value: JsonObject, id: RequestId | null | undefined, line: string): Single => {
  const { method, params = {} } = value;
  if (id === null) return fault(null, INVALID_REQUEST, 'Invalid Request: id must be a string or a number');
  if (typeof method !== 'string') return fault(id ?? null, INVALID_REQUEST, 'Invalid Request: method must be a string');
  if (params !== null && !isObject(params)) {
    return id === undefined
      ? { kind: 'notification', method, params: {} }
      : fault(id, INVALID_PARAMS, 'Invalid params: params must be an object');
  }
  const exact = withExactNumbers(params ?? {}, line);
  return id === undefined
    ? { kind: 'notification', method, params: exact }
    : { kind: 'request', id, method, params: exact };
};

/** Ids that travel inside params (a cancelled request, a progress token) stay exact as well. */
const withExactNumbers = (params: JsonObject, line: string): JsonObject => {
  const meta = params._meta;
  let exact = params;
  if (isUnsafe(params.requestId)) {
    exact = { ...exact, requestId: exactNumber(params.requestId, line, ['params', 'requestId']) };
  }
  if (isObject(meta) && isUnsafe(meta.progressToken)) {
    const progressToken = exactNumber(meta.progressToken, line, ['params', '_meta', 'progressToken']);
    exact = { ...exact, _meta: { ...meta, progressToken } };
  }
  return exact;
};

const isUnsafe = (value: unknown): value is number => typeof value === 'number' && !Number.isSafeInteger(value);

const toResponse = (value: JsonObject, id: RequestId | null | undefined): Single => {
  if (id === undefined) return fault(null, INVALID_REQUEST, 'Invalid Request: a response needs an id');
  if (!('error' in value)) return { kind: 'response', id, result: value.result };
  const { code, message } = isObject(value.error) ? value.error : {};
  return {
    kind: 'response',
    id,
    error: { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : '' },
  };
};

/** One message as one line, without its newline. Silence has no line and must be filtered before. */
export const encodeMessage = (message: Exclude<Outgoing, { kind: 'silence' }>): string => {
  switch (message.kind) {
    case 'notification':
      return `{"jsonrpc":"2.0","method":${JSON.stringify(message.method)},"params":${toJson(message.params)}}`;
    case 'request':
      return `{"jsonrpc":"2.0","id":${toIdText(message.id)},"method":${JSON.stringify(message.method)},"params":${toJson(message.params)}}`;
    case 'response':
      return encodeResponse(message);
    case 'answers':
      return `[${message.responses.map(encodeResponse).join(',')}]`;
  }
};

const encodeResponse = (message: Response): string => {
  const head = `{"jsonrpc":"2.0","id":${toIdText(message.id)},`;
  if ('json' in message) return `${head}"result":${message.json}}`;
  return 'error' in message
    ? `${head}"error":${toJson(message.error)}}`
    : `${head}"result":${toJson(message.result ?? {})}}`;
};

const toIdText = (id: RequestId | null): string => (typeof id === 'string' ? JSON.stringify(id) : String(id));

/** JSON text in which a bigint keeps all its digits. */
export const toJson = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
    const marked = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `\u0000${part}\u0000` : part));
    return marked.replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
  }
};
