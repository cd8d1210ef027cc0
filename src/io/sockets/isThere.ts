/** Pings the other side of a WebSocket. */
import { defer, fromEventPattern, map, merge, type Observable, take, timer } from 'rxjs';
import type { Socket } from './socket';

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
    const silence$ = merge(on(socket, 'close'), timer(ANSWER_MS)).pipe(map(() => false));
    if (socket.readyState === socket.OPEN) socket.ping();
    return merge(sign$, silence$).pipe(take(1));
  });

/** Not `fromEvent`: a WebSocket is an EventTarget too, and as that it knows of no pong. */
const on = (socket: Socket['socket'], event: string): Observable<unknown> =>
  fromEventPattern(
    (listener) => socket.on(event, listener),
    (listener) => socket.off(event, listener),
  );
