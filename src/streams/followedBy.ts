/** Concatenates a stream with one that depends on all its items. */
import { type MonoTypeOperatorFunction, type Observable, Subscriber } from 'rxjs';
import { operate } from './operate';

type Following<T, S> = { sum: (state: S, item: T) => S; seed: S; next: (state: S) => Observable<T> };

/**
 * Emits the items of the source, then those of the stream that `next` makes from their sum. Completes with that stream; errors with either.
 *   in  a-b-|
 *   out a-b-(S|)   (S from next(sum of a and b))
 */
export const followedBy = <T, S>(
  sum: Following<T, S>['sum'],
  seed: S,
  next: Following<T, S>['next'],
): MonoTypeOperatorFunction<T> => operate((subscriber) => new FollowedSubscriber(subscriber, { sum, seed, next }));

/** Subscribes the destination to the second stream itself, which saves a subscriber for each of its items. */
class FollowedSubscriber<T, S> extends Subscriber<T> {
  private state: S;

  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly following: Following<T, S>,
  ) {
    super(subscriber);
    this.state = following.seed;
  }

  protected override _next(item: T): void {
    this.subscriber.next(item);
    try {
      this.state = this.following.sum(this.state, item);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _complete(): void {
    this.unsubscribe();
    try {
      this.following.next(this.state).subscribe(this.subscriber);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }
}
