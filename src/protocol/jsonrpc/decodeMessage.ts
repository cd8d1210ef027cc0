/** Decodes lines of JSON-RPC 2.0, and of peers that leave the member `jsonrpc` out. */
import { asyncScheduler, concatMap, filter, map, type OperatorFunction, observeOn, of, pipe } from 'rxjs';
import { LONGEST_LINE } from '../../streams/bytes/splitLines';
import { mapMulti } from '../../streams/gather';
import { isObject, isTooDeep, type JsonObject, MAX_LEVELS, mayBeTooDeep, parseJson } from './json';
import {
  type Fault,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  PARSE_ERROR,
  type RequestId,
  readError,
} from './messages';
import { type Line, membersOfCut, rawElements, readId, withExactIds } from './rawMembers';

/** Reads one line. Never throws: a line that is not a message becomes a `fault`, which holds the error to answer with. Source: JSON-RPC 2.0 sections 4 to 6. */
export const decodeMessage = (line: string): Message => {
  if (line.length >= LONGEST_LINE) return refuseLong(line);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fault(null, PARSE_ERROR, `Parse error: ${(error as Error).message}`);
  }
  if (mayBeTooDeep(line) && isTooDeep(value)) return refuseDeep(value, line);
  return Array.isArray(value) ? toBatch(value, line) : toMessage(value, () => line);
};

/** The members of a batch; each member that must be answered knows how many responses leave together. */
const toBatch = (members: unknown[], line: string): Message => {
  if (members.length === 0) return fault(null, INVALID_REQUEST, 'Invalid Request: an empty batch');
  let lines: string[] | undefined;
  const lineOf = (i: number) => () => {
    lines ??= rawElements(line);
    return lines[i] as string;
  };
  const messages = members.map((member, i) => toMessage(member, lineOf(i)));
  const batch = { size: messages.filter(isAnswered).length };
  return {
    kind: 'batch',
    messages: messages.map((message) => (isAnswered(message) ? { ...message, batch } : message)),
  };
};

const isAnswered = ({ kind }: Single): boolean => kind === 'request' || kind === 'fault';

const fault = (id: RequestId | null, code: number, message: string): Fault => ({ kind: 'fault', id, code, message });

type Single = Exclude<Message, { kind: 'batch' }>;

const VERSION = 'jsonrpc must be "2.0"';
const TOO_DEEP = `it is nested deeper than ${MAX_LEVELS} levels`;

/** A request gets an error, and a response ends what waits for it. */
const refuseDeep = (value: unknown, line: string): Single => {
  const id = isObject(value) && 'id' in value ? readId(value.id, () => line) : undefined;
  return isObject(value) && isResponse(value)
    ? unreadable(id, TOO_DEEP)
    : fault(id ?? null, INVALID_REQUEST, `Invalid Request: ${TOO_DEEP}`);
};

/** How much of a line that is too long is looked through for its id, in UTF-16 units. */
const HEAD_CHARS = 65_536;
const TOO_LONG = `it has more than ${LONGEST_LINE} characters; send less at once, or name a file`;

/** A line whose end was dropped. It is answered under its id, if the id stands in its beginning. */
export const refuseLong = (line: string): Single => {
  const { names, id: text = '' } = membersOfCut(line.slice(0, HEAD_CHARS));
  const id = readId(parseJson(text), () => `{"id":${text}}`);
  return names.includes('"result"') || names.includes('"error"')
    ? unreadable(id, TOO_LONG)
    : fault(id, INVALID_REQUEST, `Invalid Request: ${TOO_LONG}`);
};

const isResponse = (value: JsonObject): boolean => !('method' in value) && ('result' in value || 'error' in value);

/** A broken response is never answered: its id is of a request of this side, which it ends. Source: MCP basic "Responses". */
const unreadable = (id: RequestId | null = null, unread: string): Single => {
  const error = { code: INVALID_REQUEST, message: `the response cannot be read: ${unread}` };
  return { kind: 'response', id, unread, error };
};

const toMessage = (value: unknown, line: Line): Single => {
  if (!isObject(value)) return fault(null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
  const id = 'id' in value ? readId(value.id, line) : undefined;
  if (value.jsonrpc !== '2.0') {
    return isResponse(value)
      ? unreadable(id, VERSION)
      : fault(id ?? null, INVALID_REQUEST, `Invalid Request: ${VERSION}`);
  }
  return toBareMessage(value, id, line);
};

const toBareMessage = (value: JsonObject, id: RequestId | null | undefined, line: Line): Single => {
  if ('method' in value) return toCall(value, id, line);
  if (isResponse(value)) return toResponse(value, id);
  return fault(id ?? null, INVALID_REQUEST, 'Invalid Request: method is missing');
};

/** Reads a line of a peer without `jsonrpc` and batches. Never throws. Source: codex app-server 0.128.0 to 0.169.0; tape proto-version-field. */
export const decodeBareMessage = (line: string): Single => {
  if (line.length >= LONGEST_LINE) return refuseLong(line);
  try {
    const value: unknown = JSON.parse(line);
    if (mayBeTooDeep(line) && isTooDeep(value)) return refuseDeep(value, line);
    if (!isObject(value)) return fault(null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
    return toBareMessage(value, 'id' in value ? readId(value.id, () => line) : undefined, () => line);
  } catch (error) {
    return fault(null, PARSE_ERROR, `Parse error: ${(error as Error).message}`);
  }
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
  const exact = withExactIds(params ?? {}, line);
  return id === undefined
    ? { kind: 'notification', method, params: exact }
    : { kind: 'request', id, method, params: exact };
};

const toResponse = (value: JsonObject, id: RequestId | null | undefined): Single => {
  if (id === undefined) return unreadable(null, 'it has no id');
  return 'error' in value
    ? { kind: 'response', id, error: readError(value.error) }
    : { kind: 'response', id, result: value.result };
};

/**
 * Each line becomes one message; blank lines are skipped.
 * @param decode the dialect
 * Emits a `fault` for a line that is not a message, so no line is lost silently. Never errors by itself.
 */
export const decodeMessages = (decode: (line: string) => Message = decodeMessage): OperatorFunction<string, Message> =>
  mapMulti((line, emit) => {
    if (isWritten(line)) emit(decode(line));
  });

/** In UTF-16 units: to read a longer line takes some ms. */
const LONG_CHARS = 1_048_576;

/**
 * As `decodeMessages`, but a long line is decoded in its own turn of the event loop, and its message is emitted in the next one. Later lines wait for it.
 *   in  L-n--|       (L long, n not)
 *   out --(Ln)|
 */
export const decodeInTurns = (decode: (line: string) => Message = decodeMessage): OperatorFunction<string, Message> =>
  pipe(
    filter(isWritten),
    concatMap((line) =>
      line.length < LONG_CHARS
        ? of(decode(line))
        : of(line).pipe(observeOn(asyncScheduler), map(decode), observeOn(asyncScheduler)),
    ),
  );

const isWritten = (line: string): boolean => line !== '' && (line.charCodeAt(0) === 123 || /\S/.test(line));
