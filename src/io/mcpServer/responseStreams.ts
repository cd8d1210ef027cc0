/** The state of a session that is played over HTTP: the event streams that the server's lines go to. */
import type { HttpOutput } from '../http/listenHttp';

/**
 * An event stream. `number` is its part of the ids of its events; 0 is the session's stream, others belong to a request. `exchange` is the
 * HTTP request whose response it currently is, if any. `sent` counts its events; `events` are the latest of them, with their numbers. `names`
 * are those of its requests, `waitsFor` the ids that have no response yet. `form` is the form of the response, `headers` go into its head.
 */
export type ResponseStream = {
  number: number;
  exchange?: number;
  begun: boolean;
  form: 'events' | 'json';
  sent: number;
  events: readonly { number: number; text: string }[];
  names: readonly string[];
  waitsFor: readonly string[];
  headers: Record<string, string>;
};

/** All streams of a session; `next` is the number of the next one. `sse`: all lines go to the first stream, as in the older transport. */
export type ResponseStreams = { streams: readonly ResponseStream[]; next: number; sse: boolean };

const NEW = { begun: false, form: 'events', sent: 0, events: [], names: [], waitsFor: [], headers: {} } as const;

/** The streams of a session before its first request. */
export const NO_STREAMS: ResponseStreams = { streams: [{ number: 0, ...NEW }], next: 1, sse: false };

/** The state with one more stream. */
export const addStream = (
  state: ResponseStreams,
  own: Pick<ResponseStream, 'exchange' | 'form' | 'names' | 'waitsFor' | 'headers'>,
): ResponseStreams => ({
  ...state,
  next: state.next + 1,
  streams: [...state.streams, { ...NEW, number: state.next, ...own }],
});

/** How many streams that are over are kept for clients that resume. */
const MAX_OVER = 50;

/** The state with this stream in place of the one with its number. */
export const withStream = (state: ResponseStreams, stream: ResponseStream): ResponseStreams => {
  const streams = state.streams.map((one) => (one.number === stream.number ? stream : one));
  const over = streams.filter(({ number, waitsFor }) => number > 0 && waitsFor.length === 0).slice(0, -MAX_OVER);
  return { ...state, streams: streams.filter((one) => !over.includes(one)) };
};

const MAX_EVENTS = 1_000;

/** The stream after a line, and the text of its event. Only a line that is not a message could contain a line break. */
export const withEvent = (stream: ResponseStream, line: string): { stream: ResponseStream; text: string } => {
  const number = stream.sent + 1;
  const data = line.replaceAll(/[\r\n]/g, ' ');
  const text = `id: ${stream.number}-${number}\nevent: message\ndata: ${data}\n\n`;
  const events = [...stream.events.slice(1 - MAX_EVENTS), { number, text }];
  return { stream: { ...stream, sent: number, events }, text };
};

/** The head of a response that is an event stream. */
export const toHead = (id: number, headers: Record<string, string>): HttpOutput => ({
  kind: 'head',
  id,
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers },
});

/** A complete response: its status, and its body, which may be empty. */
export const toWhole = (
  id: number,
  { status, body = '', headers = {} }: { status: number; body?: string; headers?: Record<string, string> },
): HttpOutput[] => [
  { kind: 'head', id, status, headers },
  ...(body === '' ? [] : [{ kind: 'text' as const, id, text: body }]),
  { kind: 'end', id },
];
