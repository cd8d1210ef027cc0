/** A connection to a WebSocket server: text out, text in. */
import type { Duplex } from 'node:stream';
import { map, merge, Observable, type OperatorFunction, switchMap } from 'rxjs';
import type { WebSocket } from 'ws';
import type { Backpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { maskAddress } from '../log/maskAddress';
import { fromSocket, type Socket, writeSocket } from './socket';

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
export const webSockets = /* @__PURE__ */ lazy(() => require('ws') as typeof import('ws'));
