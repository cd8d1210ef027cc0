/** Reads the address that an exec-server listens at. */
import { isIP } from 'node:net';

/** An address of this machine; port 0 is any that is free. */
export type ListenAddress = { host: string; port: number };

const SHAPE = /^ws:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})\/?$/;

/** A path of this machine's file system, absolute. */
export type SocketPath = { path: string };

const UNIX = 'unix://';

/** `stdio`, the address in `ws://IP:PORT`, or the path in `unix:///PATH`. Throws with cause and remedy. */
export const toListenAddress = (listen: string): 'stdio' | ListenAddress | SocketPath => {
  if (listen === 'stdio' || listen === 'stdio://') return 'stdio';
  if (listen.startsWith(`${UNIX}/`)) return { path: listen.slice(UNIX.length) };
  const [, v6, v4, port] = SHAPE.exec(listen) ?? [];
  const host = v6 ?? v4 ?? '';
  if (isIP(host) !== (v6 === undefined ? 4 : 6) || Number(port) > 65_535) {
    throw new Error(`--listen must be stdio, ws://IP:PORT, such as ws://127.0.0.1:0, or unix:///PATH; it is ${listen}`);
  }
  return { host, port: Number(port) };
};

/** True for an address that only this machine can reach. */
export const isLoopback = ({ host }: ListenAddress): boolean =>
  host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(host);
