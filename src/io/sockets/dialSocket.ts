/** WebSockets: a connection to a server, text out and text in, and a server that listens at one address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  defer,
  fromEventPattern,
  map,
  merge,
  Observable,
  type OperatorFunction,
  share,
  switchMap,
  take,
  timer,
} from 'rxjs';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Backpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { inputFirst } from '../../streams/time/limits';
import { hostOf, type IncomingRequest, toIncomingRequest } from '../http/listenHttp';
import { http } from '../http/nodeHttp';
import { toListenError } from '../http/toListenError';
import { maskAddress } from '../log/maskAddress';
import { backpressureOf } from '../stdio/writeLines';
import { type Frame, fromSocket, type Socket, writeSocket } from './socket';

/**
 * `url` with `ws:` or `wss:`; `headers` of the handshake; `backpressure` makes the server wait while it is full; `pingMs` between two
 * pings. It is an error when the server does not answer within `connectMs`.
 */
export type DialDeps = {
  url: string;
  headers?: Record<string, string>;
  backpressure: Backpressure;
  connectMs?: number;
  pingMs?: number;
};

const CONNECT_MS = 10_000;
const PING_MS = 30_000;
/** Room for the greatest file that fits into one message. */
const MAX_MESSAGE_BYTES = 536_870_912;
const WITHOUT_REASON = [1000, 1001, 1005, 1006];

/**
 * One connection for each subscription: `out$ => in$`. `out$` is subscribed once it is open.
 * Completes when it is lost, or when `out$` has ended; errors when it could not be made (`code` of the system), and with the
 * server's reason if that closed it with one. Unsubscribing closes it.
 */
export const dialSocket =
  ({
    url,
    headers,
    backpressure,
    connectMs = CONNECT_MS,
    pingMs = PING_MS,
  }: DialDeps): OperatorFunction<string, string> =>
  (out$) =>
    openSocket(url, { headers, handshakeTimeout: connectMs }).pipe(
      switchMap((own) => {
        const frame$ = out$.pipe(map((text) => ({ kind: 'text' as const, text })));
        return merge(closing(own.socket), fromSocket(own, backpressure, pingMs), frame$.pipe(writeSocket(own)));
      }),
    );

const openSocket = (url: string, own: { headers?: Record<string, string>; handshakeTimeout: number }) =>
  new Observable<Socket>((subscriber) => {
    const socket = new (webSockets().WebSocket)(url, {
      ...own,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    let raw: Duplex | undefined;
    socket.on('upgrade', (response) => {
      raw = response.socket;
    });
    socket.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      subscriber.error(Object.assign(new Error(`${maskAddress(url)}: ${message || code}`), { code })),
    );
    socket.on('open', () => raw && subscriber.next({ socket, raw }));
    socket.on('close', () => subscriber.complete());
    return () => socket.readyState === socket.CONNECTING && socket.terminate();
  });

/** Completes with the connection; errors with the reason the other side gave. */
const closing = (socket: WebSocket): Observable<never> =>
  new Observable((subscriber) => {
    socket.on('close', (code, reason) => {
      if (WITHOUT_REASON.includes(code)) subscriber.complete();
      else subscriber.error(new Error(`the connection was closed: ${code} ${reason}`.trim()));
    });
  });

/** The package ws, loaded by the first socket. */
const webSockets = /* @__PURE__ */ lazy(() => require('ws') as typeof import('ws'));

export type ListenDeps = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** The HTTP status of the response to a request, or that it is accepted. */
  authorize: (incoming: IncomingRequest) => number | 'accepted';
  /** The most sockets at the same time; a further request gets 503. */
  maxSockets: number;
  /** The most bytes of one message; a longer message closes the connection with 1009. */
  maxMessageBytes: number;
  /** The time between two pings. */
  pingMs: number;
};

/** An accepted connection. `queue` is the queue of what was written; `isThere` pings the client, and emits within a second. */
export type Caller = {
  address: string;
  text$: (backpressure: Backpressure) => Observable<string>;
  write: OperatorFunction<Frame, never>;
  queue: (maxBytes: number) => Backpressure;
  isThere: () => Observable<boolean>;
};

/** The address once it is bound, then each client that connects. */
type Listening = { kind: 'bound'; url: string } | { kind: 'caller'; caller: Caller };

/** Emits its address, then each connection. Errors when it cannot listen. Unsubscribing stops listening; open connections stay. */
export const listenSocket = (deps: ListenDeps): Observable<Listening> =>
  new Observable((subscriber) => {
    const { maxMessageBytes: maxPayload, pingMs } = deps;
    const sockets = new (webSockets().WebSocketServer)({ noServer: true, perMessageDeflate: false, maxPayload });
    const server = http().createServer((request, response) => answer(deps, request, response));
    const accept = (socket: Socket, address: string) =>
      subscriber.next({ kind: 'caller', caller: callerOf(socket, address, pingMs) });
    server.on('upgrade', (request, raw, head) => upgrade({ ...deps, sockets, accept }, { request, raw, head }));
    server.on('error', (error) => subscriber.error(toListenError(deps, error)));
    server.listen(deps.port, deps.host, () => subscriber.next({ kind: 'bound', url: `ws://${hostOf(server)}` }));
    return () => {
      server.close();
      server.closeIdleConnections();
    };
  });

const answer = ({ authorize }: ListenDeps, request: IncomingMessage, response: ServerResponse): void => {
  const status = authorize({ ...toIncomingRequest(request), upgrade: false });
  request.resume();
  response.writeHead(status === 'accepted' ? 400 : status, { 'content-length': 0 }).end();
};

type UpgradeDeps = Pick<ListenDeps, 'authorize' | 'maxSockets'> & {
  sockets: WebSocketServer;
  accept: (socket: Socket, address: string) => void;
};
type Upgrade = { request: IncomingMessage; raw: Duplex; head: Buffer };

const upgrade = ({ authorize, maxSockets, sockets, accept }: UpgradeDeps, { request, raw, head }: Upgrade): void => {
  raw.on('error', () => {}); // it closes
  const incoming = { ...toIncomingRequest(request), upgrade: true };
  const verdict = authorize(incoming);
  const { address, port } = incoming.from;
  if (verdict !== 'accepted') refuse(raw, verdict);
  else if (sockets.clients.size >= maxSockets) refuse(raw, 503);
  else sockets.handleUpgrade(request, raw, head, (socket) => accept({ socket, raw }, `${address}:${port}`));
};

const refuse = (raw: Duplex, status: number): void => {
  raw.end(`HTTP/1.1 ${status} ${http().STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
};

const callerOf = (own: Socket, address: string, pingMs: number): Caller => {
  own.socket.on('error', () => {}); // it closes, and its streams end
  const there$ = isThere(own).pipe(share()); // one ping for all requests at once
  return {
    address,
    text$: (backpressure) => fromSocket(own, backpressure, pingMs),
    write: writeSocket(own),
    queue: (maxBytes) => backpressureOf(own.raw, maxBytes),
    isThere: () => there$,
  };
};

/** How long the other side may take to answer. */
const ANSWER_MS = 1_000;

/**
 * Pings when it is subscribed. True at the next message or pong of the other side, false when none comes in time, or it closes.
 *   socket  ---p     (p a pong)
 *   out     ---(T|)
 */
export const isThere = ({ socket }: Pick<Socket, 'socket'>): Observable<boolean> =>
  defer(() => {
    const sign$ = merge(on(socket, 'pong'), on(socket, 'message')).pipe(map(() => true));
    const silence$ = merge(on(socket, 'close'), timer(ANSWER_MS, inputFirst)).pipe(map(() => false));
    if (socket.readyState === socket.OPEN) socket.ping();
    return merge(sign$, silence$).pipe(take(1));
  });

/** Not `fromEvent`: a WebSocket is an EventTarget too, and as that it knows of no pong. */
const on = (socket: Socket['socket'], event: string): Observable<unknown> =>
  fromEventPattern(
    (listener) => socket.on(event, listener),
    (listener) => socket.off(event, listener),
  );
