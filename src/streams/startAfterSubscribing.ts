/** Puts values before those of a source that is already running. */
import { type OperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate';

/** @param first makes the values that come first; @param isResult which items of the source are emitted */
export type Start<T, R extends T> = { first: () => readonly R[]; isResult: (item: T) => item is R };

/**
 * `startWith` and `filter`, but the source is subscribed before the first values are made: a request leaves before the event that announces
 * it. If the source emits or ends meanwhile, they are made just before that. It is one subscriber, because every turn passes through it.
 *   in      --a-B-c-|     (B is not a result)
 *   first   F
 *   out     F-a---c-|
 */
export const startAfterSubscribing = <T, R extends T>(start: Start<T, R>): OperatorFunction<T, R> =>
  operate<T, R, BehindFirst<T, R>>(
    (subscriber) => new BehindFirst(subscriber, start),
    (behind) => behind.begin(),
  );

class BehindFirst<T, R extends T> extends Subscriber<T> {
  private hasBegun = false;

  constructor(
    private readonly subscriber: Subscriber<R>,
    private readonly start: Start<T, R>,
  ) {
    super(subscriber);
  }

  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    try {
      for (const value of this.start.first()) this.subscriber.next(value);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _next(item: T): void {
    this.begin();
    try {
      if (this.start.isResult(item)) this.subscriber.next(item);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _complete(): void {
    this.begin();
    super._complete();
  }

  protected override _error(reason: unknown): void {
    this.begin();
    super._error(reason);
  }
}
