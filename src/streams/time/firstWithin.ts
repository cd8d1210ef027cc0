/** Limits the time to the first item of a stream. */
import { asyncScheduler, type MonoTypeOperatorFunction, Subscriber } from 'rxjs';
import { operate } from '../operate';

/** @param ms until the first item, 0 for no limit; `toLate` makes the error of a source that took longer, `toFailure` that of one that failed */
export type FirstLimit = { ms: number; toLate: () => Error; toFailure: (reason: unknown) => Error };

/**
 * Passes the source. Errors with `toLate` if it has neither emitted nor ended within `ms`, and with what `toFailure` makes of its error.
 *   in   --r-|      in   ----r     in  --#      (ms is 3)
 *   out  --r-|      out  ---L      out --F
 */
export const firstWithin = <T>(limit: FirstLimit): MonoTypeOperatorFunction<T> =>
  operate((subscriber) => new WaitingSubscriber(subscriber, limit));

class WaitingSubscriber<T> extends Subscriber<T> {
  private readonly timer;

  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly limit: FirstLimit,
  ) {
    super(subscriber);
    const late = () => subscriber.error(limit.toLate());
    this.timer = limit.ms > 0 ? asyncScheduler.schedule(late, limit.ms) : undefined;
    this.add(this.timer);
  }

  protected override _next(item: T): void {
    this.timer?.unsubscribe();
    this.subscriber.next(item);
  }

  protected override _error(reason: unknown): void {
    super._error(this.limit.toFailure(reason));
  }
}
