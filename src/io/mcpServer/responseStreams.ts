/** The state of a session that is played over HTTP: the event streams that the server's lines are sent on. */
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { referencesOf } from '../../protocol/jsonrpc/requestNames';
import type { HttpOutput } from '../http/listenHttp';

/** An event stream. */
export type ResponseStream = {
  /** Its part of the ids of its events; 0 is the session's stream, others belong to a request. */
  number: number;
  /** The HTTP request whose response it currently is, if any. */
  exchange?: number;
  begun: boolean;
  /** The form of the response. */
  form: 'events' | 'json';
  /** Counts its events. */
  sent: number;
  /** Its latest events, with their numbers. */
  events: readonly { number: number; text: string }[];
  /** The names of its requests. */
  names: readonly string[];
  /** The ids that have no response yet. */
  waitsFor: readonly string[];
  /** Go into the head of the response. */
  headers: Record<string, string>;
};

/** All streams of a session; `next` is the number of the next one. */
export type ResponseStreams = {
  streams: readonly ResponseStream[];
  next: number;
  /** All lines go to the first stream, as in the older transport. */
  sse: boolean;
};

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

/** The state with this stream in place of the stream of its number. */
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

/** A line, with the HTTP status with which it was recorded, if not 200. */
export type SentLine = { line: string; status?: number };

/** The new state, and what goes to the clients. */
export type StreamStep = { state: ResponseStreams; output: readonly HttpOutput[] };

/**
 * A response goes to the stream of its request, and so does a message that refers to a request. Any other message goes to the session's stream while that
 * is open, otherwise to the latest request; a response without an id goes to the oldest. A line that finds no stream waits for one.
 */
export const sendLine = (state: ResponseStreams, sent: SentLine): StreamStep => {
  const { messages } = parseLine(sent.line);
  const stream = streamOf(state, messages[0]);
  const answered = new Set(messages.flatMap((message) => (message.kind === 'response' ? [responseName(message)] : [])));
  const isLast = answered.has('') || stream.waitsFor.every((name) => answered.has(name));
  const left = isLast ? [] : stream.waitsFor.filter((name) => !answered.has(name));
  const isOver = stream.waitsFor.length > 0 && left.length === 0;
  const { stream: next, output } = writeTo({ ...stream, waitsFor: left }, sent, isOver);
  return { state: withStream(state, next), output };
};

/** '' for a response without an id, which answers whatever came. */
const responseName = ({ id }: { id: RequestId | null }): string => (id === null ? '' : idKey(id));

const streamOf = (state: ResponseStreams, message: TapeMessage | undefined): ResponseStream => {
  const [first, ...others] = state.streams as [ResponseStream, ...ResponseStream[]];
  if (state.sse) return first;
  const open = others.filter(({ waitsFor }) => waitsFor.length > 0);
  if (message?.kind === 'response') {
    const name = responseName(message);
    return (name === '' ? open[0] : open.find(({ waitsFor }) => waitsFor.includes(name))) ?? first;
  }
  const names = message === undefined ? [] : referencesOf(message).map(({ by, name }) => `${by} ${name}`);
  const named = open.find((one) => one.names.some((name) => names.includes(name)));
  return named ?? (first.exchange === undefined ? open.at(-1) : undefined) ?? first;
};

const writeTo = (stream: ResponseStream, { line, status }: SentLine, isOver: boolean) => {
  const { exchange, headers, begun } = stream;
  const isWhole = !begun && isOver && (status !== undefined || stream.form === 'json');
  if (isWhole && exchange !== undefined) {
    const json = { 'content-type': 'application/json', ...headers };
    return { stream, output: toWhole(exchange, { status: status ?? 200, body: line, headers: json }) };
  }
  const { stream: next, text } = withEvent(stream, line);
  if (exchange === undefined) return { stream: next, output: [] };
  const output: HttpOutput[] = [
    ...(begun ? [] : [toHead(exchange, headers)]),
    { kind: 'text', id: exchange, text },
    ...(isOver ? [{ kind: 'end' as const, id: exchange }] : []),
  ];
  return { stream: { ...next, begun: true }, output };
};
