/** Opens a socket to a server of NATS, with TLS where the server or the operator asks for it. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, Server, ServerInfo } from '@nats-io/transport-node';
import { isObject } from '../../../protocol/jsonrpc';
import { NatsError } from '../natsError';
import type { NatsPackages } from '../natsPackages';

/** @param onSocket gets each socket at once, which ends by its `destroy` */
export type DialDeps = {
  core: Pick<NatsPackages['core'], 'checkOptions'>;
  server: Pick<Server, 'hostname' | 'port' | 'tlsName'>;
  options: ConnectionOptions;
  onSocket: (socket: Socket) => void;
};

/** The `INFO` of a server is shorter: it is one control line. */
const MAX_INFO_BYTES = 1_048_576;
/** How much of it is read at once. */
const SCRATCH_BYTES = 16_384;

/** Where a socket reads to: into `buffer`; `receive` then takes that many bytes of it. */
export type SocketReader = { buffer: () => Buffer; receive: (buffer: Buffer, bytes: number) => void };

/** A socket that is open, and what was read of it; the rest comes once there is a reader. */
export type Dialed = { socket: Socket; head: Buffer; readBy: (reader: SocketReader) => void };

/**
 * Resolves to the socket, and to the server's `INFO`. Rejects where the server cannot be reached, where TLS fails, and where one side has no TLS that the
 * other needs.
 */
export const dialNats = async ({ core, server, options, onSocket }: DialDeps): Promise<Dialed> => {
  const reading = readInfo();
  const socket = connect({ host: server.hostname, port: server.port, noDelay: true, onread: reading.onread });
  onSocket(socket);
  const head = await until(socket, reading.settle);
  const info = toInfo(head);
  core.checkOptions(info, options);
  const isTls = info.tls_required === true || (info.tls_available === true && options.tls !== null);
  if (!isTls) return { socket, head, readBy: reading.readBy };
  const secure = connectTls({ servername: server.tlsName, rejectUnauthorized: true, ...options.tls, socket });
  onSocket(secure);
  await until<void>(secure, (done) => secure.once('secureConnect', done));
  return { socket: secure, head, readBy: readChunks(secure) };
};

/** TLS brings chunks of its own. */
const readChunks =
  (socket: Socket): Dialed['readBy'] =>
  ({ receive }) =>
    socket.on('data', (chunk: Buffer) => receive(chunk, chunk.length));

/** Reads what the server sends first, at once and without TLS; then reads into the buffers of its reader. */
const readInfo = () => {
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  let received: Buffer = Buffer.alloc(0);
  let settled: Parameters<Settle<Buffer>> | undefined;
  const first: SocketReader = {
    buffer: () => scratch,
    receive: (buffer, bytes) => {
      received = Buffer.concat([received, buffer.subarray(0, bytes)]);
      const [done, fail] = settled ?? [];
      if (received.includes('\n')) done?.(received);
      else if (received.length > MAX_INFO_BYTES) fail?.(notNats());
    },
  };
  let reader = first;
  return {
    onread: {
      buffer: () => reader.buffer(),
      callback: (bytes: number, buffer: Uint8Array) => {
        reader.receive(buffer as Buffer, bytes);
        return true;
      },
    },
    settle: (...both: Parameters<Settle<Buffer>>) => {
      settled = both;
    },
    readBy: (next: SocketReader) => {
      reader = next;
    },
  };
};

type Settle<T> = (done: (value: T) => void, fail: (error: Error) => void) => void;

/** The end of the socket is an error. Its later errors are of no matter: each loss shows in its close. */
const until = <T>(socket: Socket, settle: Settle<T>): Promise<T> =>
  new Promise((done, fail) => {
    socket.on('error', fail);
    socket.on('close', () => fail(closed()));
    settle(done, fail);
  });

const closed = (): NatsError => new NatsError('unreachable', 'the server closed the connection');

const notNats = (): NatsError => new NatsError('unreachable', 'what answers there is no server of NATS');

const toInfo = (head: Buffer): ServerInfo => {
  const json = /^INFO\s+(\S[^\r\n]*)/i.exec(head.toString())?.[1];
  const info: unknown = json === undefined ? undefined : parsed(json);
  if (!isObject(info)) throw notNats();
  return info as unknown as ServerInfo;
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
