/** Two ways to speak to a server of NATS, by its packages and by a bare socket. Each opens `{ subscribe, publish, ready, close }`. */
import { createRequire } from 'node:module';
import { connect } from 'node:net';

const require = createRequire(import.meta.url);

/** The packages that the daemon uses. */
const openPackages = async (address) => {
  const { connect: open } = require('@nats-io/transport-node');
  const connection = await open({ servers: address.slice('nats://'.length).split(','), noAsyncTraces: true });
  return {
    subscribe: (subject, receive) =>
      connection.subscribe(subject, { callback: (_, { data, reply }) => receive(data, reply) }),
    publish: (subject, data, reply) => connection.publish(subject, data, { reply }),
    ready: () => connection.flush(),
    close: () => connection.close(),
  };
};

/** Cuts bytes into messages; each is copied once, into a buffer of its length. */
const cutMessages = (receiveLine, receiveMessage) => {
  let head = Buffer.alloc(0);
  let open;
  const fill = (bytes) => {
    const taken = bytes.copy(open.data, open.filled);
    open.filled += taken;
    if (open.filled === open.data.length) {
      const { fields, data } = open;
      open = undefined;
      receiveMessage(fields, data.subarray(0, -2));
    }
    return bytes.subarray(taken);
  };
  return (chunk) => {
    let rest = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
    if (open) rest = fill(chunk);
    for (let end = rest.indexOf('\r\n'); end >= 0 && !open; end = rest.indexOf('\r\n')) {
      const fields = rest.latin1Slice(0, end).split(' ');
      rest = rest.subarray(end + 2);
      if (fields[0] !== 'MSG') {
        receiveLine(fields[0]);
        continue;
      }
      open = { fields, data: Buffer.allocUnsafeSlow(Number(fields.at(-1)) + 2), filled: 0 };
      rest = fill(rest);
    }
    head = rest;
  };
};

const HELLO = 'CONNECT {"verbose":false,"protocol":1,"lang":"none","version":"0"}\r\n';

/** No library, no headers; pieces of a message leave in one write. */
const openSocket = async (address) => {
  const [host, port] = address.slice('nats://'.length).split(',')[0].split(':');
  const socket = connect({ host, port: Number(port), noDelay: true }).on('error', () => {}); // its server is killed at the end
  const receivers = new Map();
  const pongs = [];
  const ready = () =>
    new Promise((done) => {
      pongs.push(done);
      socket.write('PING\r\n');
    });
  const receiveLine = (verb) => {
    if (verb === 'PING') socket.write('PONG\r\n');
    if (verb === 'PONG') pongs.shift()?.();
  };
  socket.on(
    'data',
    cutMessages(receiveLine, ([, , id, reply, size], data) => receivers.get(id)(data, size && reply)),
  );
  socket.write(HELLO);
  await ready();
  return {
    subscribe: (subject, receive) => {
      const id = String(receivers.size + 1);
      receivers.set(id, receive);
      socket.write(`SUB ${subject} ${id}\r\n`);
    },
    publish: (subject, data, reply = '') => {
      socket.cork();
      for (const piece of [`PUB ${subject} ${reply} ${data.length}\r\n`, data, '\r\n']) socket.write(piece);
      socket.uncork();
    },
    ready,
    close: () => socket.destroy(),
  };
};

export const LINKS = { packages: openPackages, socket: openSocket };

/** Requests on a link: `ask` resolves when the response is there. They are answered in order. */
export const asking = (link, inbox) => {
  const waiting = [];
  link.subscribe(inbox, () => waiting.shift()());
  return (subject, data) =>
    new Promise((done) => {
      waiting.push(done);
      link.publish(subject, data, inbox);
    });
};
