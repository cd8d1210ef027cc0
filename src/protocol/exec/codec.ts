/** Decodes and encodes lines of the exec-server protocol: JSON-RPC without its member `jsonrpc`, one message per line. */
import { isObject, type JsonObject, toJson } from '../jsonrpc/json';
import { type RequestId, type RpcErrorObject, readError, toIdText } from '../jsonrpc/messages';
import { endOfString, readId } from '../jsonrpc/rawMembers';
import type { OutputStream } from './process';

/** A request; its params are checked by its method. */
export type ExecRequest = { kind: 'request'; id: RequestId; method: string; params: unknown };
/** A notification; its params are checked by whoever takes it. */
export type ExecNotification = { kind: 'notification'; method: string; params: unknown };
/** The params of process/output; `chunk` is base64. */
type ExecOutput = { processId: string; seq: number; stream: OutputStream; chunk: string };
/** A response, with the id of its request. */
export type ExecResponse = { kind: 'response'; id: RequestId } & ({ result: unknown } | { error: RpcErrorObject });

/** What a line may hold; a `fault` is a line that holds no message, and why. */
export type ExecMessage = ExecRequest | ExecNotification | ExecResponse | { kind: 'fault'; message: string };
/** What may be written as a line. */
export type ExecOutgoing = ExecRequest | ExecNotification | ExecResponse;

/** The limit for one message of a client: reading more values would hold up all other clients. Source: codex exec-server 0.169.0. */
const MAX_VALUES = 262_144;

/** Reads one line of a client, like `decodeExecMessage`; a line with too many values is not a message. */
export const decodeExecRequest = (line: string): ExecMessage =>
  hasMoreThan(MAX_VALUES, line)
    ? { kind: 'fault', message: `a message has at most ${MAX_VALUES} values` }
    : decodeExecMessage(line);

/** Outside of strings, each value but the first has a sign before it. */
const hasMoreThan = (values: number, line: string): boolean => {
  if (line.length <= values) return false;
  const sign = /[",[{]/g;
  let seen = 0;
  for (let found = sign.exec(line); found && seen <= values; found = sign.exec(line)) {
    if (found[0] === '"') sign.lastIndex = endOfString(line, found.index);
    else seen += 1;
  }
  return seen > values;
};

/** Reads one line. A request whose id cannot be used counts as a notification; batches are not supported. Source: codex exec-server 0.142.0. */
export const decodeExecMessage = (line: string): ExecMessage => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { kind: 'fault', message: (error as Error).message };
  }
  if (!isObject(value)) return { kind: 'fault', message: 'a message is a JSON object' };
  const id = toId(value.id, line);
  const { method, params } = value;
  if (typeof method === 'string') {
    return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  if (id !== undefined && ('result' in value || 'error' in value)) return toResponse(value, id);
  return { kind: 'fault', message: 'a message has a method, or an id and a result or an error' };
};

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** The ids of the exec-server are strings and 64-bit integers. */
const toId = (id: unknown, line: string): RequestId | undefined => {
  const exact = readId(id, () => line);
  if (typeof exact === 'bigint') return exact >= MIN_INTEGER && exact <= MAX_INTEGER ? exact : undefined;
  return typeof exact === 'string' || Number.isSafeInteger(exact) ? (exact ?? undefined) : undefined;
};

const toResponse = ({ result, error }: JsonObject, id: RequestId): ExecResponse =>
  error === undefined ? { kind: 'response', id, result } : { kind: 'response', id, error: readError(error) };

/** One message as one line, without its newline. */
export const encodeExecMessage = (message: ExecOutgoing): string => {
  switch (message.kind) {
    case 'notification':
      return `{"method":${JSON.stringify(message.method)},"params":${paramsText(message)}}`;
    case 'request':
      return `{"id":${toIdText(message.id)},"method":${JSON.stringify(message.method)},"params":${toJson(message.params)}}`;
    case 'response':
      return 'error' in message
        ? `{"error":${toJson(message.error)},"id":${toIdText(message.id)}}`
        : `{"id":${toIdText(message.id)},"result":${toJson(message.result ?? null)}}`;
  }
};

/** Output is the most frequent message, and base64 needs no escapes. */
const paramsText = ({ method, params }: ExecNotification): string => {
  if (method !== 'process/output') return toJson(params);
  const { processId, seq, stream, chunk } = params as ExecOutput;
  return `{"processId":${JSON.stringify(processId)},"seq":${seq},"stream":"${stream}","chunk":"${chunk}"}`;
};
