/** The event loop of Node as a source. */
import { Observable } from 'rxjs';

/**
 * Emits once and completes when the events that wait in the event loop have been served; starts again for each subscriber. Unsubscribing
 * forgets it. Unlike a timer of 0 ms it does not wait for the clock.
 */
export const immediate$ = new Observable<void>((subscriber) => {
  const turn = setImmediate(() => {
    subscriber.next();
    subscriber.complete();
  });
  return () => clearImmediate(turn);
});
