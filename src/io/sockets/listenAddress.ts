/** Reads the address that an exec-server listens at. Own code: URL hides a port that is usual, and rewrites hosts such as 127.1. */
import { isIP } from 'node:net';

/** An address of this machine; port 0 is any that is free. */
export type ListenAddress = { host: string; port: number };

const SHAPE = /^ws:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})\/?$/;

/** A path of this machine's file system, absolute. */
export type SocketPath = { path: string };

const UNIX = 'unix://';

/** The address of NATS servers; what is wrong with it shows when they are connected to. */
export type NatsListen = { nats: string };

/** `stdio`, the address in `ws://IP:PORT`, the path in `unix:///PATH`, or what begins with `nats://` or `tls://`. Throws with cause and remedy. */
export const toListenAddress = (listen: string): 'stdio' | ListenAddress | SocketPath | NatsListen => {
  if (/^(nats|tls):\/\//i.test(listen)) return { nats: listen };
  if (listen === 'stdio' || listen === 'stdio://') return 'stdio';
  if (listen.startsWith(`${UNIX}/`)) return { path: listen.slice(UNIX.length) };
  const [, v6, v4, port] = SHAPE.exec(listen) ?? [];
  const host = v6 ?? v4 ?? '';
  if (isIP(host) !== (v6 === undefined ? 4 : 6) || Number(port) > 65_535) {
    throw new Error(
      `--listen must be stdio, ws://IP:PORT, such as ws://127.0.0.1:0, unix:///PATH, or nats://HOST; it is ${listen}`,
    );
  }
  return { host, port: Number(port) };
};

/** True for an address that only this machine can reach. */
export const isLoopback = ({ host }: ListenAddress): boolean =>
  host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(host);
