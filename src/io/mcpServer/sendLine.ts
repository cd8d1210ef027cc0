/** Sends a line of a played server on the event stream to which it belongs. */
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { referencesOf } from '../../protocol/jsonrpc/requestNames';
import type { HttpOutput } from '../http/listenHttp';
import { type ResponseStream, type ResponseStreams, toHead, toWhole, withEvent, withStream } from './responseStreams';

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
