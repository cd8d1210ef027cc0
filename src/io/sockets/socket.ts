/** The edge of one open WebSocket: its messages in, ours out. */
import type { Duplex } from 'node:stream';
import { defer, ignoreElements, interval, Observable, type OperatorFunction, tap } from 'rxjs';
import type { RawData, WebSocket } from 'ws';
import type { Backpressure } from '../../streams/backpressure';
import { pauseWhileFull } from '../stdio/fromInput';

/** What is sent: a message, or the close of this side. */
export type Frame = { kind: 'text'; text: string } | { kind: 'close'; code: number; reason: string };

/** A WebSocket and the stream below it. */
export type Socket = { socket: WebSocket; raw: Duplex };

/** How long the other side may take to answer a close; then the connection is cut. */
const CLOSE_MS = 1_000;
/** Longer messages leave in frames of this size; source: codex exec-server 0.142.0 takes none above 16 MiB. */
const MAX_FRAME_BYTES = 4_194_304;
const MAX_FRAME_LENGTH = MAX_FRAME_BYTES / 4;
const NORMAL: Frame = { kind: 'close', code: 1000, reason: '' };

/**
 * The messages of a socket, text or binary. The socket is paused while the queue ahead is full.
 * Completes when the socket has closed, however that came about.
 * @param pingMs between two pings; see keepAlive
 */
export const fromSocket = (own: Socket, backpressure: Backpressure, pingMs: number): Observable<string> =>
  new Observable((subscriber) => {
    const { socket } = own;
    if (socket.readyState === socket.CLOSED) return subscriber.complete();
    const alive = keepAlive(own, pingMs).subscribe();
    const pressure = pauseWhileFull(backpressure, socket);
    const pass = (data: RawData) => {
      subscriber.next(data.toString());
      if (!subscriber.closed) pressure.check();
    };
    const end = () => subscriber.complete();
    socket.on('message', pass).on('close', end);
    return () => {
      alive.unsubscribe();
      pressure.stop();
      socket.off('message', pass).off('close', end);
      socket.resume(); // a paused socket does not notice that the other side closes
    };
  });

/** Sends each message; those of one tick leave in one write. Closes with the source, at `close`, or when unsubscribed. Emits nothing. */
export const writeSocket =
  (own: Socket): OperatorFunction<Frame, never> =>
  (frame$) =>
    new Observable<never>((subscriber) => {
      const { socket, raw } = own;
      const gone = () => subscriber.complete();
      if (socket.readyState === socket.CLOSED) return gone();
      socket.on('close', gone);
      const leave = (frame: Frame) => frame.kind === 'close' && closeSocket(socket, frame);
      const send = corked(raw, (text) => socket.readyState === socket.OPEN && sendWhole(socket, text));
      const source = frame$.subscribe({
        next: (frame) => (frame.kind === 'text' ? send(frame.text) : leave(frame)),
        error: (error) => subscriber.error(error),
        complete: () => leave(NORMAL),
      });
      return () => {
        source.unsubscribe();
        socket.off('close', gone);
        leave(NORMAL);
      };
    });

const corked = (raw: Duplex, send: (text: string) => void) => {
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    raw.uncork();
  };
  return (text: string) => {
    if (!isCorked) {
      isCorked = true;
      raw.cork();
      process.nextTick(uncork);
    }
    send(text);
  };
};

const sendWhole = (socket: WebSocket, text: string): void => {
  if (text.length <= MAX_FRAME_LENGTH) {
    socket.send(text);
    return;
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) {
    const fin = at + MAX_FRAME_BYTES >= bytes.length;
    socket.send(bytes.subarray(at, at + MAX_FRAME_BYTES), { binary: false, fin });
  }
};

const closeSocket = (socket: WebSocket, { code, reason }: { code: number; reason: string }): void => {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  const late = setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  socket.on('close', () => clearTimeout(late));
};

/** Beats without a message of the other side, until the connection counts as lost. */
const MAX_SILENT_BEATS = 3;

/** Pings at each beat, and cuts a connection that sent nothing for three of them. Emits nothing, never ends by itself. */
const keepAlive = ({ socket, raw }: Socket, everyMs: number): Observable<never> =>
  defer(() => {
    let silent = 0;
    const reset = () => {
      silent = 0;
    };
    socket.on('pong', reset).on('message', reset);
    return interval(everyMs).pipe(
      tap(() => {
        if (raw.writableLength > 0) return;
        if (silent === MAX_SILENT_BEATS) return socket.terminate();
        silent += 1;
        socket.ping();
      }),
      ignoreElements(),
    );
  });
