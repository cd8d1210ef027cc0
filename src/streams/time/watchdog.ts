/** A timer that checks whether a stream is still healthy. */
import { asyncScheduler, type MonoTypeOperatorFunction, type SchedulerAction, Subscriber } from 'rxjs';
import { operate } from '../operate';

/** @param look returns after how many ms to look again, or throws; @param note is called with each item before it is passed on */
export type Watch<T> = { look: () => number; note: (item: T) => void };

/**
 * Passes the source. Calls `look` on subscription, and again after as many ms as it returned, until the source ends. Errors with what
 * `look` throws.
 *   in   -a-b-c-d     (look returns 4, returns 2, throws)
 *   out  -a-b-c#
 */
export const watchdog = <T>({ look, note }: Watch<T>): MonoTypeOperatorFunction<T> =>
  operate<T, T>((subscriber) => {
    const again = function (this: SchedulerAction<undefined>): void {
      try {
        this.schedule(undefined, look());
      } catch (reason) {
        subscriber.error(reason);
      }
    };
    subscriber.add(asyncScheduler.schedule(again, look()));
    return new NotingSubscriber(subscriber, note);
  });

class NotingSubscriber<T> extends Subscriber<T> {
  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly note: (item: T) => void,
  ) {
    super(subscriber);
  }

  protected override _next(item: T): void {
    this.note(item);
    this.subscriber.next(item);
  }
}
