/** The text of a Node stream. */
import type { Readable } from 'node:stream';
import { Observable } from 'rxjs';
import type { Backpressure } from '../../streams';
import { pauseWhileFull } from '../pauseWhileFull';

/**
 * Emits the text of a stream of UTF-8 as it comes; pauses it while the queue ahead is full. Completes at its end and errors with it.
 * Unsubscribing leaves the stream as it is: whoever made it decides what becomes of the rest.
 */
export const readText = (body: Readable, backpressure: Backpressure): Observable<string> =>
  new Observable<string>((subscriber) => {
    const pressure = pauseWhileFull(backpressure, body);
    const onData = (text: string) => {
      subscriber.next(text);
      if (!subscriber.closed) pressure.check();
    };
    body.once('error', (error) => subscriber.error(error));
    body.once('end', () => subscriber.complete());
    body.setEncoding('utf8').on('data', onData);
    return () => {
      pressure.stop();
      body.off('data', onData);
    };
  });
