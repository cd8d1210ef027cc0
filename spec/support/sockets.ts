/** Doubles of a WebSocket. */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Observable, tap } from 'rxjs';
import type { WebSocket } from 'ws';
import type { Socket } from '../../src/io/sockets/socket';

/** A socket that is open; `done` is what was done with it. */
export const fakeSocket = (waiting = 0) => {
  const done: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    CLOSED: 3,
    ping: () => done.push('ping'),
    pause: () => done.push('pause'),
    resume: () => done.push('resume'),
    send: (data: string | Uint8Array, { fin = true } = {}) => done.push(`${data.length}${fin ? '' : '+'}`),
    close: (code: number, reason: string) => {
      socket.readyState = 2;
      done.push(`close ${code} ${reason}`.trim());
    },
    terminate: () => {
      done.push('cut');
      socket.emit('close');
    },
  });
  const raw = { writableLength: waiting, cork: () => {}, uncork: () => {} } as unknown as Duplex;
  return { done, socket, own: { socket: socket as unknown as WebSocket, raw } satisfies Socket };
};

/** Emits each value as this event of the socket. */
export const emitAt = (socket: EventEmitter, event: string) => (at$: Observable<unknown>) =>
  at$.pipe(tap((value) => socket.emit(event, Buffer.from(String(value)))));
