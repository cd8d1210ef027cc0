/** The event loop of Node as a source. */
import { Observable } from 'rxjs';

/** Emits once when the waiting events of the event loop have been served, without waiting for the clock. Unsubscribing forgets it. */
export const immediate$ = new Observable<void>((subscriber) => {
  const turn = setImmediate(() => {
    subscriber.next();
    subscriber.complete();
  });
  return () => clearImmediate(turn);
});
