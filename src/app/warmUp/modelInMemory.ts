/** A model server in this process: connections that reach no network, and answer each request in the same way. */
import { Duplex } from 'node:stream';
import { sampleMessage, toResponsesStream } from '../responsesStream';

const DELTAS: readonly string[] = Array(24).fill('a word ');
const BODY = toResponsesStream(sampleMessage(DELTAS.join('')), DELTAS);
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
