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
  toIdText,
} from './jsonrpc';
import { rawElements, rawMember } from './rawMember';
import { toJson } from './toJson';

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
  if (!Array.isArray(value)) return toMessage(value, () => line);
  if (value.length === 0) return fault(null, INVALID_REQUEST, 'Invalid Request: an empty batch');
  let lines: string[] | undefined;
  const lineOf = (i: number) => () => {
    lines ??= rawElements(line);
    return lines[i] as string;
  };
  const messages = value.map((member, i) => toMessage(member, lineOf(i)));
  const size = messages.filter((message) => message.kind === 'request' || message.kind === 'fault').length;
  const batch = { size };
  return {
    kind: 'batch',
    messages: messages.map((m) => (m.kind === 'request' || m.kind === 'fault' ? { ...m, batch } : m)),
  };
};

const fault = (id: RequestId | null, code: number, message: string): Fault => ({ kind: 'fault', id, code, message });

type Single = Exclude<Message, { kind: 'batch' }>;
/** The text of a message, for what parsing has rounded. */
type Line = () => string;

const toMessage = (value: unknown, line: Line): Single => {
  if (!isObject(value)) return fault(null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
  const id = 'id' in value ? toId(value.id, line) : undefined;
  if (value.jsonrpc !== '2.0') return fault(id ?? null, INVALID_REQUEST, 'Invalid Request: jsonrpc must be "2.0"');
  return toBareMessage(value, id, line);
};

const toBareMessage = (value: JsonObject, id: RequestId | null | undefined, line: Line): Single => {
  if ('method' in value) return toCall(value, id, line);
  if ('result' in value || 'error' in value) return toResponse(value, id);
  return fault(id ?? null, INVALID_REQUEST, 'Invalid Request: method is missing');
};

/**
 * Reads one line of a peer that leaves `jsonrpc` out, and knows no batches. Never throws.
 * Source: codex app-server 0.128.0 to 0.169.0.
 */
export const decodeBareMessage = (line: string): Single => {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return fault(null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
    return toBareMessage(value, 'id' in value ? toId(value.id, () => line) : undefined, () => line);
  } catch (error) {
    return fault(null, PARSE_ERROR, `Parse error: ${(error as Error).message}`);
  }
};

/** undefined: the message has no id; null: it has one that cannot be used. */
const toId = (id: unknown, line: Line): RequestId | null => {
  if (typeof id === 'string') return id;
  if (!isUnsafe(id)) return typeof id === 'number' ? id : null;
  const exact = exactNumber(id, line, ['id']);
  return typeof exact === 'bigint' || Number.isInteger(exact) ? exact : null;
};

/** A double ends at 309 digits; what is longer has become Infinity, and making a bigint of it could take seconds. */
const INTEGER = /^-?\d{1,309}$/;

/** An integer as it was written; what is written as a fraction or with an exponent stays as it was read. */
const exactNumber = (rounded: number, line: Line, path: readonly string[]): number | bigint => {
  const raw = rawMember(line(), path);
  return raw !== undefined && INTEGER.test(raw) ? BigInt(raw) : rounded;
};

const toCall = (value: JsonObject, id: RequestId | null | undefined, line: Line): Single => {
  const { method, params = {} } = value;
  if (id === null) return fault(null, INVALID_REQUEST, 'Invalid Request: id must be a string or an integer');
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
const withExactNumbers = (params: JsonObject, line: Line): JsonObject => {
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
  const { code, message, data } = isObject(value.error) ? value.error : {};
  const error = { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : '' };
  return { kind: 'response', id, error: data === undefined ? error : { ...error, data } };
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
