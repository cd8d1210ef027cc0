/** A Node stream as an Observable, with backpressure. */
import type { Readable } from 'node:stream';
import { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { pauseWhileFull } from './pauseWhileFull';

/**
 * The chunks of a readable stream, which is paused while the queue ahead is full.
 * Completes at its end or close, at once where that has passed; a read error counts as its end. Unsubscribing stops reading.
 */
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
