/**
 * The transport that the client of NATS speaks through, in place of its own. It hands over whole messages, copied once at most: the client's own
 * hands over parts, from which the client builds a message by doubling a buffer.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionOptions, Server, Transport } from '@nats-io/transport-node';
import { NatsError } from '../natsError';
import type { NatsPackages } from '../natsPackages';
import { dialNats } from './dialNats';
import { type FrameQueue, frameQueue } from './frameQueue';
import { frameReader } from './frameReader';
import { type SocketLife, socketLife } from './socketLife';

/** Called when one socket is open, and when it was closed, with the reason. */
export type DialWatch = { opened: (socket: Socket) => void; closed: (error: Error | undefined) => void };

/** `dialing` is called with the server for each socket that is dialed. It is an option, as the client passes its options on to the transport. */
export type SocketWatch = { dialing: (server: string) => DialWatch };

/** Options of the client, with ours. */
export type SocketOptions = ConnectionOptions & { watch?: SocketWatch };

/** The parts of the client that a transport needs. */
export type TransportCore = Pick<NatsPackages['core'], 'checkOptions' | 'errors'>;

/** Makes the transport of one socket. It ends with the socket, and where the client cannot read what came: then the client connects again. */
export const socketTransport = (core: TransportCore): Transport => {
  const queue = frameQueue();
  const life = socketLife(queue.end);
  return {
    lang: 'nodejs',
    version: '1',
    get isClosed() {
      return life.isOver();
    },
    get closeError() {
      return life.error();
    },
    connect: (server, options) => open({ core, life, queue, server, options }),
    [Symbol.asyncIterator]: () => queue.read(() => life.end(unreadable())),
    isEncrypted: () => life.socket() instanceof TLSSocket,
    send: (frame) => void (life.isOver() || life.socket()?.write(frame)),
    close: async (error) => life.end(error),
    disconnect: () => life.end(undefined),
    closed: () => life.closed as Promise<Error>,
    discard: life.discard,
  };
};

const unreadable = (): NatsError => new NatsError('failed', 'the server of NATS sent what cannot be read');

type Opening = { core: TransportCore; life: SocketLife; queue: FrameQueue; server: Server; options: SocketOptions };

const open = async ({ core, life, queue, server, options }: Opening): Promise<void> => {
  const watch = options.watch?.dialing(`${server.hostname}:${server.port}`);
  const { socket, head, readBy } = await dialNats({ core, server, options, onSocket: life.hold }).catch((error) => {
    life.socket()?.destroy();
    throw error.code === 'ECONNREFUSED' ? refused(core, error) : error;
  });
  life.connected();
  let failure: Error | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('close', () => {
    watch?.closed(failure);
    life.end(failure);
  });
  watch?.opened(socket);
  const reader = frameReader({ onFrames: queue.push, onBroken: life.end });
  reader.receive(head, head.length);
  readBy(reader);
};

const refused = ({ errors }: TransportCore, cause: Error): Error =>
  new errors.ConnectionError('connection refused', { cause });
