/** A model server in this process: connections that reach no network, and answer each request in the same way. */
import { Duplex } from 'node:stream';

const DELTAS = 24;

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

const PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const TEXT = 'a word '.repeat(DELTAS);
const ITEM = { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: TEXT }] };

/** The events of a response of the Responses API with one message. */
const EVENTS = [
  { type: 'response.created', response: { id: 'resp_1' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...ITEM, content: [] } },
  ...Array(DELTAS).fill({ type: 'response.output_text.delta', ...PLACE, delta: 'a word ' }),
  { type: 'response.output_item.done', output_index: 0, item: ITEM },
  { type: 'response.completed', response: { id: 'resp_1', usage: USAGE } },
];

const BODY = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: keep-alive\r\ntransfer-encoding: chunked';
const RESPONSE = Buffer.from(`${HEAD}\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`);

/** What Node's agent does with a socket besides. */
const SOCKET = { setKeepAlive: () => {}, setNoDelay: () => {}, setTimeout: () => {}, ref: () => {}, unref: () => {} };

/** A connection; a request is written to it as one piece, for its body is known when it is sent. */
export const modelInMemory = (): Duplex => {
  const answer = (_: unknown, done: () => void) => {
    setImmediate(() => connection.push(RESPONSE));
    done();
  };
  const connection: Duplex = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => answer(undefined, done),
    writev: answer,
  });
  return Object.assign(connection, SOCKET);
};
