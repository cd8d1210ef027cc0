/** Node's readable streams as Observables that wait for a slow reader; the input of a server comes in small pieces while its output waits. */
import type { Readable, Writable } from 'node:stream';
import { Observable, type Subscription, take } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { immediate$ } from './immediate';
import { backpressureOf } from './writeLines';

/** `output` is where the responses go; input waits while more than `maxBytes` of them wait there. */
type InputDeps = { output: Writable; maxBytes: number };

/** Input comes in pieces while more than this waits in the output. */
const BUSY_BYTES = 65_536;
/** The responses to one piece leave before the next is read: else long lists of requests would hold up all responses. */
const PIECE_BYTES = 4096;
/** What is passed on in a turn otherwise: some 75 calls that begin. Node would read two MB from a pipe before anything else happens. */
const TURN_BYTES = 16_384;

/**
 * The bytes of a readable stream, 16 KB in each turn of the event loop. While output waits they come in smaller pieces, and none come while too much
 * waits.
 * Completes at the end or close, at once if that has passed; a read error counts as its end. Unsubscribing stops reading.
 */
export const fromInput = (readable: Readable, deps: InputDeps): Observable<Uint8Array> =>
  new Observable((subscriber) => {
    if (readable.destroyed || readable.readableEnded) return subscriber.complete();
    const { turn, pieceOf } = paceOf(deps);
    let waiting: Subscription | undefined;
    const pass = (chunk: Uint8Array) => {
      const piece = pieceOf(chunk);
      if (piece !== chunk) {
        readable.pause(); // before the rest goes back, or it would come at once
        readable.unshift(chunk.subarray(piece.length));
      }
      subscriber.next(piece);
      if (subscriber.closed) return;
      const turn$ = turn(chunk);
      if (turn$ !== undefined) {
        readable.pause();
        waiting?.unsubscribe();
        waiting = turn$.pipe(take(1)).subscribe(() => readable.resume());
      } else if (piece !== chunk) readable.resume();
    };
    const end = () => subscriber.complete();
    readable.on('data', pass).on('end', end).on('close', end).on('error', end);
    return () => {
      waiting?.unsubscribe();
      readable.off('data', pass).off('end', end).off('close', end);
      readable.pause();
    };
  });

/** `turn` is what to wait for after a piece, if for anything; `pieceOf` the beginning of a chunk that is passed on, all of it by default. */
const paceOf = ({ output, maxBytes }: InputDeps) => {
  const { isFull, drain$ } = backpressureOf(output, maxBytes);
  const { isFull: isBusy } = backpressureOf(output, BUSY_BYTES);
  return {
    turn: (chunk: Uint8Array): Observable<unknown> | undefined => {
      if (isFull()) return drain$;
      return isBusy() || chunk.length >= TURN_BYTES ? immediate$ : undefined;
    },
    pieceOf: (chunk: Uint8Array): Uint8Array => {
      const most = isBusy() ? PIECE_BYTES : TURN_BYTES;
      return chunk.length > most ? chunk.subarray(0, most) : chunk;
    },
  };
};

/** The chunks of a stream, paused while the queue is full. Completes at its end, close or error. Unsubscribing stops reading. */
export const fromReadable = <T>(readable: Readable, backpressure: Backpressure): Observable<T> =>
  new Observable<T>((subscriber) => {
    if (readable.destroyed || readable.readableEnded) return subscriber.complete();
    const pressure = pauseWhileFull(backpressure, readable);
    const pass = (chunk: T) => {
      subscriber.next(chunk);
      if (!subscriber.closed) pressure.check();
    };
    const end = () => subscriber.complete();
    readable.on('data', pass).on('end', end).on('close', end).on('error', end);
    return () => {
      pressure.stop();
      readable.off('data', pass).off('end', end).off('close', end);
      readable.pause();
    };
  });

/** A source that can be paused, such as a Node stream. */
type Pausable = { pause: () => void; resume: () => void };

/** `check` after each chunk that was passed on; `stop` when the source is not read any more. */
type PauseWhileFull = { check: () => void; stop: () => void };

/**
 * Pauses the source when `check` finds the queue full, and resumes it when that drains.
 *   check   a-b-c---d     (the queue is full at b)
 *   drain   ------d--
 *   source  --p---r--     (p pause, r resume)
 */
export const pauseWhileFull = ({ isFull, drain$ }: Backpressure, source: Pausable): PauseWhileFull => {
  let waiting: Subscription | undefined;
  return {
    check: () => {
      if (!isFull()) return;
      source.pause();
      waiting?.unsubscribe(); // Node resumes a child's streams at its exit, so a second pause may come before the drain
      waiting = drain$.pipe(take(1)).subscribe(() => source.resume());
    },
    stop: () => waiting?.unsubscribe(),
  };
};
