/** A stream, and work that lasts as long as it does. */
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { operate } from './operate';

/**
 * Passes the source on; until it ends, it is also subscribed to `work$`, which emits nothing. Errors with either.
 *   in     -a-b-|
 *   work$  --------
 *   out    -a-b-|
 */
export const alongside = <T>(work$: Observable<never>): MonoTypeOperatorFunction<T> =>
  operate<T, T>((subscriber) => {
    subscriber.add(work$.subscribe({ error: (reason) => subscriber.error(reason) }));
    return subscriber;
  });
