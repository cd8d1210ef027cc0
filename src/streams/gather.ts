/** Emits none, one or many values for each item, with a state for each subscription. */
import { type OperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate';

/** A value passed to `emit` is emitted at once and in order; `complete` ends the stream. */
type Emit<R> = (value: R) => void;
type Complete = () => void;

/**
 * Handles each item, the end of the source, and its error; where `fail` is given, the error becomes an end, by default it is passed on. The source is
 * unsubscribed before its end is handled.
 */
export type Gatherer<T, R> = {
  next: (item: T, emit: Emit<R>, complete: Complete) => void;
  end?: (emit: Emit<R>) => void;
  fail?: (reason: unknown, emit: Emit<R>) => void;
};

/**
 * Creates a gatherer for each subscription, which may emit before the source is subscribed. This is one subscriber where `startWith`, `scan`,
 * `takeWhile`, `filter`, `map` and `endWith` are one each and `concatMap` is one per item, so it is used on the path of every turn and every line.
 * Completes with the source; errors with it, unless the gatherer handles the error, and with what the gatherer throws.
 *   in      a---b-c--|     (B before the source; a gives x and y, b nothing, c z; E after it)
 *   out  (Bxy)----z--(E|)
 */
export const gather = <T, R>(begin: (emit: Emit<R>) => Gatherer<T, R>): OperatorFunction<T, R> =>
  operate((subscriber) => {
    const emit = (value: R): void => subscriber.next(value);
    const finish = (): void => subscriber.complete();
    return new GatheringSubscriber(subscriber, begin(emit), { emit, finish });
  });

/**
 * A subscriber class, because an observer made of functions would cost each item two more calls. Its functions are passed in: V8 allocates a function
 * that is assigned to a property among the old objects, where it retains all that it closes over until the next full collection.
 */
class GatheringSubscriber<T, R> extends Subscriber<T> {
  private readonly emit: Emit<R>;
  private readonly finish: Complete;

  constructor(
    private readonly subscriber: Subscriber<R>,
    private readonly gatherer: Gatherer<T, R>,
    { emit, finish }: { emit: Emit<R>; finish: Complete },
  ) {
    super(subscriber);
    this.emit = emit;
    this.finish = finish;
  }

  protected override _next(item: T): void {
    try {
      this.gatherer.next(item, this.emit, this.finish);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _complete(): void {
    const { end } = this.gatherer;
    if (end === undefined) super._complete();
    else this.finishWith(() => end(this.emit));
  }

  protected override _error(error: unknown): void {
    const { fail } = this.gatherer;
    if (fail === undefined) super._error(error);
    else this.finishWith(() => fail(error, this.emit));
  }

  private finishWith(last: () => void): void {
    this.unsubscribe();
    try {
      last();
    } catch (reason) {
      this.subscriber.error(reason);
    }
    this.subscriber.complete();
  }
}
