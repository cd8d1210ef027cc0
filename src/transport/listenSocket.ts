/** Owns listening for WebSockets at one address; who may come in is decided elsewhere. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Observable, type OperatorFunction, share } from 'rxjs';
import type { WebSocketServer } from 'ws';
import type { Backpressure } from '../streams';
import { isThere } from './isThere';
import { http } from './nodeHttp';
import { type Frame, fromSocket, type Socket, writeSocket } from './socket';
import { webSockets } from './webSockets';
import { backpressureOf } from './writeLines';

/** A request that reached the listener; header names are lower case. */
export type Visit = {
  upgrade: boolean;
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
};

/**
 * @param port 0 for any that is free; @param authorize the status a visit is answered with, or that it may come in
 * @param maxSockets at once; one more is answered 503; @param maxMessageBytes of one message; a longer one closes with 1009
 */
export type ListenDeps = {
  host: string;
  port: number;
  authorize: (visit: Visit) => number | 'accepted';
  maxSockets: number;
  maxMessageBytes: number;
  pingMs: number;
};

/** One that came in. `queue` is how much of what was written waits to leave; `isThere` asks, and waits a moment for the answer. */
export type Caller = {
  address: string;
  text$: (backpressure: Backpressure) => Observable<string>;
  write: OperatorFunction<Frame, never>;
  queue: (maxBytes: number) => Backpressure;
  isThere: () => Observable<boolean>;
};

export type Listening = { kind: 'bound'; url: string } | { kind: 'caller'; caller: Caller };

/**
 * Emits where it listens, then who comes in. Errors when it cannot listen.
 * Unsubscribing closes the door; those inside stay until their own streams end.
 */
export const listenSocket = (deps: ListenDeps): Observable<Listening> =>
  new Observable((subscriber) => {
    const sockets = new (webSockets().WebSocketServer)({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: deps.maxMessageBytes,
    });
    const server = http().createServer((request, response) => answer(deps, request, response));
    const enter = (socket: Socket, address: string) =>
      subscriber.next({ kind: 'caller', caller: callerOf(socket, address, deps.pingMs) });
    server.on('upgrade', (request, raw, head) => admit(deps, sockets, enter, request, raw, head));
    server.on('error', (error) => subscriber.error(error));
    server.listen(deps.port, deps.host, () => subscriber.next({ kind: 'bound', url: urlOf(server) }));
    return () => {
      server.close();
      server.closeIdleConnections();
    };
  });

const urlOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `ws://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

const visitOf = ({ method = '', url = '', headers }: IncomingMessage, upgrade: boolean): Visit => ({
  upgrade,
  method,
  url,
  headers,
});

const answer = ({ authorize }: ListenDeps, request: IncomingMessage, response: ServerResponse): void => {
  const status = authorize(visitOf(request, false));
  request.resume();
  response.writeHead(status === 'accepted' ? 400 : status, { 'content-length': 0 }).end();
};

const admit = (
  { authorize, maxSockets }: ListenDeps,
  sockets: WebSocketServer,
  enter: (socket: Socket, address: string) => void,
  request: IncomingMessage,
  raw: Duplex,
  head: Buffer,
): void => {
  raw.on('error', () => {});
  const word = authorize(visitOf(request, true));
  const { remoteAddress, remotePort } = request.socket;
  if (word !== 'accepted') refuse(raw, word);
  else if (sockets.clients.size >= maxSockets) refuse(raw, 503);
  else sockets.handleUpgrade(request, raw, head, (socket) => enter({ socket, raw }, `${remoteAddress}:${remotePort}`));
};

const refuse = (raw: Duplex, status: number): void => {
  raw.end(`HTTP/1.1 ${status} ${http().STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
};

const callerOf = (own: Socket, address: string, pingMs: number): Caller => {
  own.socket.on('error', () => {}); // it closes, and that is told
  const there$ = isThere(own).pipe(share()); // one ping for all who ask at once
  return {
    address,
    text$: (backpressure) => fromSocket(own, backpressure, pingMs),
    write: writeSocket(own),
    queue: (maxBytes) => backpressureOf(own.raw, maxBytes),
    isThere: () => there$,
  };
};
