/**
 * Lists calls with absolute times, and exports them as HAR, which browsers and proxies show as a waterfall. Own code: no maintained library writes HAR, and
 * the format is this one object. Source: HAR 1.2.
 */
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { Call, CallOutcome, IndexedMessage, SessionIndex, Side } from '../session/sessionIndex';

/** A call; times are in ms since 1970. */
export type TimedCall = {
  number: number;
  /** The call that a server's request belongs to. */
  parent?: number;
  from: Side;
  method: string;
  label: string;
  outcome: CallOutcome;
  startMs: number;
  /** Undefined if there is no response. */
  endMs?: number;
  request: IndexedMessage;
  response?: IndexedMessage;
};

/** The calls in the order of their requests. */
export const timedCalls = (index: SessionIndex): TimedCall[] => {
  const started = typeof index.meta.started === 'string' ? Date.parse(index.meta.started) : Number.NaN;
  const beganMs = Number.isNaN(started) ? 0 : started;
  return index.calls.map((call, number) => toTimed(index, { call, number, beganMs }));
};

type Numbered = { call: Call; number: number; beganMs: number };

const toTimed = ({ messages, calls }: SessionIndex, { call, number, beganMs }: Numbered): TimedCall => {
  const request = messages[call.request] as IndexedMessage;
  const response = messages[call.response ?? -1];
  const { message } = request;
  const parent = call.from === 'server' ? (request.owner ?? onlyOpen(calls, call.request)) : undefined;
  return {
    number,
    from: call.from,
    method: 'method' in message ? message.method : '',
    label: labelOf(message),
    outcome: call.outcome,
    startMs: beganMs + request.t,
    request,
    ...(parent !== undefined && { parent }),
    ...(response && { response, endMs: beganMs + response.t }),
  };
};

/** On stdio a server's request names no call; if only one call of the client is open, the request belongs to it. */
const onlyOpen = (calls: readonly Call[], at: number): number | undefined => {
  const open = [...calls.keys()].filter((number) => isOpenAt(calls[number] as Call, at));
  return open.length === 1 ? open[0] : undefined;
};

const isOpenAt = ({ from, request, response = Number.POSITIVE_INFINITY }: Call, at: number): boolean =>
  from === 'client' && request < at && at < response;

/** A session and its name. */
export type NamedIndex = { name: string; index: SessionIndex };

/** The text of a HAR file: a page for each session, an entry for each call; `creator` is this program. */
export const toHar = (sessions: readonly NamedIndex[], creator: { name: string; version: string }): string => {
  const calls = sessions.map(({ index }) => timedCalls(index));
  const log = {
    version: '1.2',
    creator,
    pages: sessions.map(({ name }, i) => ({
      id: pageOf(i),
      title: name,
      startedDateTime: toDate(calls[i]?.[0]?.startMs ?? 0),
      pageTimings: {},
    })),
    entries: calls.flatMap((own, i) => own.map((call) => toEntry(call, pageOf(i)))),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
};

const pageOf = (i: number): string => `session_${i + 1}`;
/** Half a surrogate pair in a name, which no URL can have, becomes a replacement character. */
const toAddress = (label: string): string => encodeURI(Buffer.from(label).toString());
/** A time that no date can hold becomes the latest date: a tape may name any time as its start. */
const toDate = (ms: number): string => new Date(Math.min(ms, MAX_DATE_MS)).toISOString();
const MAX_DATE_MS = 8.64e15;
const NONE = { httpVersion: 'MCP', cookies: [], headers: [], headersSize: -1 };

const toEntry = ({ from, label, method, outcome, startMs, endMs, request, response }: TimedCall, pageref: string) => {
  const [asked, answered] = [JSON.stringify(request.value), response ? JSON.stringify(response.value) : ''];
  const ms = endMs === undefined ? 0 : endMs - startMs;
  const mimeType = 'application/json';
  return {
    pageref,
    startedDateTime: toDate(startMs),
    time: ms,
    request: {
      ...NONE,
      method: 'POST',
      url: `mcp://${from === 'client' ? 'server' : 'client'}/${toAddress(label)}`,
      queryString: [],
      postData: { mimeType, text: asked },
      bodySize: Buffer.byteLength(asked),
    },
    response: {
      ...NONE,
      status: STATUS[outcome],
      statusText: outcome,
      content: { size: Buffer.byteLength(answered), mimeType, text: answered },
      redirectURL: '',
      bodySize: Buffer.byteLength(answered),
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: `${method}, line ${request.lineNumber}`,
  };
};

/** Browsers write 0 for a request without a response. */
const STATUS = { answered: 200, failed: 500, cancelled: 499, open: 0 } as const;
