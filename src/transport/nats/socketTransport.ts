/**
 * The transport that the client of NATS speaks through, in place of its own. It hands over whole messages, copied once at most: the client's own hands over parts, of which the
 * client makes a message by doubling a buffer.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionOptions, Server, Transport } from '@nats-io/transport-node';
import { dialNats } from './dialNats';
import { frameReader } from './frameReader';
import { NatsError } from './natsError';
import type { NatsPackages } from './natsPackages';

/** The socket that a connection has now, and why the last one failed; it changes in place, with each one. The client hands its options to the transport, and so this. */
export type CurrentSocket = { socket: Socket | undefined; failure: Error | undefined };

/** The parts of the client that a transport needs. */
export type TransportCore = Pick<NatsPackages['core'], 'checkOptions' | 'errors'>;

/** One socket, from its dialing to its end; it changes in place, as the socket does. `received` waits for the client, which `wake` calls; `resolve` tells it of the end. */
type Life = {
  socket: Socket | undefined;
  isConnected: boolean;
  isOver: boolean;
  error: Error | undefined;
  received: Uint8Array[];
  wake: () => void;
  resolve: (error: Error | undefined) => void;
};

/** Makes the transport of one socket. It ends with the socket, and where the client cannot read what came: the client connects again then. */
export const socketTransport = (core: TransportCore): Transport => {
  const life: Life = {
    ...{ socket: undefined, isConnected: false, isOver: false, error: undefined },
    ...{ received: [], wake: () => {}, resolve: () => {} },
  };
  const closed = new Promise<Error | undefined>((resolve) => {
    life.resolve = resolve;
  });
  return {
    ...{ lang: 'nodejs', version: '1' },
    get isClosed() {
      return life.isOver;
    },
    get closeError() {
      return life.error;
    },
    connect: (server, options) => open({ core, life, server, options }),
    [Symbol.asyncIterator]: () => framesOf(life),
    isEncrypted: () => life.socket instanceof TLSSocket,
    send: (frame) => void (life.isOver || life.socket?.write(frame)),
    close: async (error) => end(life, error),
    disconnect: () => end(life, undefined),
    closed: () => closed as Promise<Error>,
    discard: () => {
      life.isConnected = false; // nobody is to learn of its end
      end(life, undefined);
    },
  };
};

type Opening = {
  core: TransportCore;
  life: Life;
  server: Server;
  options: ConnectionOptions & { current?: CurrentSocket };
};

const open = async ({ core, life, server, options }: Opening): Promise<void> => {
  const onSocket = (socket: Socket) => {
    life.socket = socket;
    if (life.isOver) socket.destroy();
  };
  const { socket, head, readBy } = await dialNats({ core, server, options, onSocket }).catch((error) => {
    life.socket?.destroy();
    throw error.code === 'ECONNREFUSED' ? refused(core, error) : error;
  });
  life.isConnected = true;
  const reader = frameReader({
    onFrames: (frames) => {
      life.received.push(frames);
      life.wake();
    },
    onBroken: (error) => end(life, error),
  });
  socket.on('error', (error) => {
    life.error = error;
  });
  const { current } = options;
  socket.on('close', () => {
    if (current !== undefined) current.failure = life.error;
    end(life, life.error);
  });
  if (current !== undefined) current.socket = socket;
  reader.receive(head, head.length);
  readBy(reader);
};

const refused = ({ errors }: TransportCore, cause: Error): Error =>
  new errors.ConnectionError('connection refused', { cause });

/**
 * What was received before the end is read. The reader's end is that of the socket. Not a generator, as each message waits for it: that made three promises more for each.
 */
const framesOf = (life: Life): AsyncIterableIterator<Uint8Array> => {
  const frames: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => frames,
    next: () =>
      new Promise((resolve) => {
        life.wake = () => {
          const value = life.received.shift();
          if (value === undefined && !life.isOver) return;
          life.wake = () => {};
          resolve(value === undefined ? { done: true, value } : { done: false, value });
        };
        life.wake();
      }),
    return: async () => {
      end(life, new NatsError('failed', 'the server of NATS sent what cannot be read'));
      return { done: true, value: undefined };
    },
  };
  return frames;
};

const end = (life: Life, error: Error | undefined): void => {
  if (life.isOver) return;
  life.isOver = true;
  life.error = error;
  life.socket?.destroy();
  life.wake();
  if (life.isConnected) life.resolve(error);
};
