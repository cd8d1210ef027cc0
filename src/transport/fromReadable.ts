/** Owns the edge where a Node stream becomes an Observable, and waits when its reader is slow. */
import type { Readable } from 'node:stream';
import { Observable, type Subscription, take } from 'rxjs';
import type { Backpressure } from '../streams';

/**
 * The chunks of a readable stream. Pauses it after a chunk that made the queue ahead long, until that drains.
 * Completes at its end or close, at once when that is past; a read error counts as its end. Unsubscribing stops reading.
 */
export const fromReadable = <T>(readable: Readable, backpressure: Backpressure): Observable<T> =>
  new Observable<T>((subscriber) => {
    if (readable.destroyed || readable.readableEnded) return subscriber.complete();
    let waiting: Subscription | undefined;
    const resume = () => readable.resume();
    const pass = (chunk: T) => {
      subscriber.next(chunk);
      if (subscriber.closed || !backpressure.isFull()) return;
      readable.pause();
      waiting?.unsubscribe(); // at its exit a child's streams are resumed by Node
      waiting = backpressure.drain$.pipe(take(1)).subscribe(resume);
    };
    const end = () => subscriber.complete();
    readable.on('data', pass).on('end', end).on('close', end).on('error', end);
    return () => {
      waiting?.unsubscribe();
      readable.off('data', pass).off('end', end).off('close', end);
      readable.pause();
    };
  });
