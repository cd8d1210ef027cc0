/**
 * Avoids copies of messages that the client makes. With messages of 512 KB they were half of the work of a reader.
 * Source: @nats-io/nats-core 3.3.1, parser.js, denobuffer.js, databuffer.js, protocol.js. A version of the client without these
 * internals is left as it is.
 */
import { isObject } from '../../protocol/jsonrpc';

/** The payload of a message that came in part: `ma.size` is its length. */
type Parser = { msgBuf?: Grows; ma?: { size: number }; parse: (bytes: Uint8Array) => void };
type Grows = { length: number; capacity: number; grow: (bytes: number) => void };

/** What waits to be sent. */
type Outbound = { buffers: Uint8Array[]; size: () => number; reset: () => void };
type Socket = { cork: () => void; uncork: () => void };
type Handler = {
  parser: Parser;
  outbound: Outbound;
  transport: { send: (bytes: Uint8Array) => void; socket?: Socket };
  infoReceived: boolean;
  connected: boolean;
  flushPending: () => void;
};

/** Less is packed by the client, which is one write. */
const LARGE_BYTES = 65_536;

const tuned = new WeakSet<object>();

/** Done once for all connections of this client. */
export const saveCopies = (connection: object): void => {
  const handler = (connection as { protocol?: Handler }).protocol;
  if (!isObject(handler) || !isObject(handler.parser) || !isObject(handler.outbound)) return;
  const parsers = Object.getPrototypeOf(handler.parser) as Parser;
  if (tuned.has(parsers)) return;
  tuned.add(parsers);
  makeRoomAtOnce(parsers);
  sendUnpacked(Object.getPrototypeOf(handler) as Handler);
};

/** The client doubles its buffer with each part, and copies what it has. */
const makeRoomAtOnce = (parsers: Parser): void => {
  const { parse } = parsers;
  parsers.parse = function (this: Parser, bytes: Uint8Array): void {
    parse.call(this, bytes);
    const { msgBuf, ma } = this;
    if (msgBuf !== undefined && ma !== undefined && msgBuf.capacity < ma.size) msgBuf.grow(ma.size - msgBuf.length);
  };
};

/** The client makes one piece of all that waits before it is written. */
const sendUnpacked = (handlers: Handler): void => {
  const { flushPending } = handlers;
  handlers.flushPending = function (this: Handler): void {
    const { outbound, transport, infoReceived, connected } = this;
    const { socket } = transport;
    if (!infoReceived || !connected || socket === undefined || outbound.size() < LARGE_BYTES) {
      flushPending.call(this);
      return;
    }
    const pieces = [...outbound.buffers];
    outbound.reset();
    socket.cork();
    for (const piece of pieces) transport.send(piece);
    socket.uncork();
  };
};
