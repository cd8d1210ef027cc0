/** Ends a stream after a certain time. */
import { asyncScheduler, type MonoTypeOperatorFunction, Subscriber } from 'rxjs';
import { operate } from '../operate';

/** @param ms from the subscription on; @param last the item that is emitted then */
export type Deadline<T> = { ms: number; last: T };

/**
 * Passes the source until the time is up; then emits `last` and completes, even where the source has completed earlier.
 *   in   -a-|         in   -a-b-c-     (ms is 5)
 *   out  -a---(L|)    out  -a-b-(L|)
 */
export const withDeadline = <T>({ ms, last }: Deadline<T>): MonoTypeOperatorFunction<T> =>
  operate((subscriber) => {
    const end = () => {
      subscriber.next(last);
      subscriber.complete();
    };
    subscriber.add(asyncScheduler.schedule(end, ms));
    return new UnendingSubscriber<T>(subscriber);
  });

class UnendingSubscriber<T> extends Subscriber<T> {
  protected override _complete(): void {
    this.unsubscribe();
  }
}
