/**
 * Exports calls as HAR, which browsers and proxies show as a waterfall. Own code: no maintained library writes HAR, and the format is this one object.
 * Source: HAR 1.2.
 */
import type { SessionIndex } from '../session/sessionIndex';
import { type TimedCall, timedCalls } from './timedCalls';

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
