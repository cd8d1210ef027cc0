/** Reads documents that are one JSON value, such as HAR files and cassettes, as lines of a capture. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { isCaptured } from './fromCapture';
import type { SourceLine } from './importer';
import { type Captured, findSenders, isMessage, jsonOf } from './toCaptured';

/** The messages of a document: of a known one, or of a list in which each value is a message or a line of a capture, or of such a list in an object. */
export const readDocument = (document: unknown): readonly SourceLine[] => {
  const known = fromDocument(document);
  if (known.length > 0) return known;
  const list = [document, ...Object.values(toObject(document))].find(isListOfLines) ?? [];
  const source = list.map((value, at) => ({ lineNumber: at + 1, value }));
  return list.some(isCaptured) ? source : source.map(findSenders());
};

const isListOfLines = (value: unknown): value is JsonObject[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isObject(one) && (isCaptured(one) || isMessage(one)));

/** A message as the log of ACP in Zed copies it: the method also of a response, and its result or error as `params`. */
const ofEditor = ({ _direction, _type, id, method, params }: JsonObject): Captured[] => {
  if (typeof _direction !== 'string' || typeof _type !== 'string') return [];
  const { code, message } = toObject(params);
  const content = typeof code === 'number' && typeof message === 'string' ? { error: params } : { result: params };
  const body = _type === 'response' ? content : { method, params };
  const raw = { jsonrpc: '2.0', ...(_type !== 'notification' && { id }), ...body };
  return [{ direction: _direction === 'incoming' ? 's2c' : 'c2s', raw }];
};

/**
 * The messages of a document that is one JSON value: a HAR file, a cassette with a list of interactions, or the log of ACP in Zed; empty for any other.
 * Source: HAR 1.2; cassettes of agent-vcr and mcp-recorder; zed/crates/acp_tools.
 */
const fromDocument = (value: unknown): SourceLine[] =>
  (Array.isArray(value) ? value.map(toObject).flatMap(ofEditor) : capturedIn(toObject(value))).map((captured, at) => ({
    lineNumber: at + 1,
    value: captured,
  }));

const capturedIn = (document: JsonObject): JsonObject[] => {
  const { entries } = toObject(document.log);
  const session = toObject(document.session);
  const interactions = document.interactions ?? session.interactions;
  if (Array.isArray(entries)) return byTime(entries.flatMap((entry) => ofExchange(toObject(entry))));
  return Array.isArray(interactions)
    ? byTime([ofInitialize(session), ...interactions.map(toObject)].flatMap(ofInteraction))
    : [];
};

/** Exchanges overlap, and some programs write them in another order than their times. A message without a time stays behind the one before it. */
const byTime = (all: readonly Captured[]): Captured[] => {
  let latest = Number.NEGATIVE_INFINITY;
  const timed = all.map((one) => {
    latest = typeof one.ts === 'number' ? one.ts : latest;
    return { one, at: latest };
  });
  return timed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ one }) => one);
};

const ofInitialize = ({ initialize_request: request, initialize_response: response }: JsonObject): JsonObject => ({
  request,
  response,
});

/** What a client sent comes first, then what the server sent meanwhile, then its response. */
const ofInteraction = ({ request, response, notifications, timestamp, direction, latency_ms: wait }: JsonObject) => {
  const isOfServer = /^server/.test(wordOf(direction));
  const startMs = Date.parse(wordOf(timestamp));
  const ts = Number.isNaN(startMs) ? undefined : startMs;
  const endTs = ts === undefined || typeof wait !== 'number' ? ts : ts + wait;
  const [asks, answers] = isOfServer ? (['s2c', 'c2s'] as const) : (['c2s', 's2c'] as const);
  return [
    ...messagesOf(request).map((raw) => ({ ts, direction: asks, raw })),
    ...messagesOf(notifications).map((raw) => ({ ts: endTs, direction: 's2c' as const, raw })),
    ...messagesOf(response).map((raw) => ({ ts: endTs, direction: answers, raw })),
  ];
};

const ofExchange = ({ startedDateTime, time, request, response }: JsonObject): Captured[] =>
  ofInteraction({
    timestamp: startedDateTime,
    latency_ms: time,
    request: toObject(toObject(request).postData).text,
    response: decoded(toObject(toObject(response).content)),
  });

const decoded = ({ text, encoding }: JsonObject): unknown =>
  encoding === 'base64' && typeof text === 'string' ? Buffer.from(text, 'base64').toString() : text;

/** A message, a list of them, or a text with either, or with events that have one each. */
const messagesOf = (value: unknown): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (isObject(value)) return isMessage(value) ? [value] : [];
  if (typeof value !== 'string') return [];
  const whole = jsonOf(value);
  if (typeof whole === 'object') return messagesOf(whole);
  return value.split(/\r?\n\r?\n|\r\r/).flatMap((event) => {
    const data = event
      .split(/\r\n|\r|\n/)
      .flatMap((line) => (/^data: ?/.test(line) ? [line.replace(/^data: ?/, '')] : []));
    return data.length === 0 ? [] : messagesOf(jsonOf(data.join('\n')));
  });
};
