/** A stream that another one may stop. */
import { type MonoTypeOperatorFunction, type Observable, Subscriber } from 'rxjs';
import { operate } from './operate';

/** `isLast` is true for the item that ends the stream; `close` turns a stop into the items that end the stream instead. */
export type Stop<T, S> = { stop$: Observable<S>; close: (stop: S) => readonly T[]; isLast: (item: T) => boolean };

/**
 * Passes the source up to its last item. If `stop$` emits before that, the source is unsubscribed, and what `close` makes of the stop ends
 * the stream. `stop$` is subscribed first, so a stop in response to the first item counts. Completes and errors with the source.
 *   in     -a-b--c        in     -a-b--z-   (z the last item)
 *   stop$  ----x          stop$  -------x
 *   out    -a-b(X|)       out    -a-b--(z|)
 */
export const stoppable = <T, S>(stop: Stop<T, S>): MonoTypeOperatorFunction<T> =>
  operate((subscriber) => new StoppableSubscriber(subscriber, stop));

class StoppableSubscriber<T, S> extends Subscriber<T> {
  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly stop: Stop<T, S>,
  ) {
    super(subscriber);
    this.add(stop.stop$.subscribe({ next: this.close, error: (reason) => subscriber.error(reason) }));
  }

  protected override _next(item: T): void {
    this.subscriber.next(item);
    if (this.stop.isLast(item)) this.subscriber.complete();
  }

  private readonly close = (stop: S): void => {
    this.unsubscribe();
    try {
      for (const item of this.stop.close(stop)) this.subscriber.next(item);
    } catch (reason) {
      this.subscriber.error(reason);
    }
    this.subscriber.complete();
  };
}
