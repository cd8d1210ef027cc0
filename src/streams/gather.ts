/** Emits none, one or many values for each item, with a state for each subscription. */
import { type OperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate';

/** What `emit` is called with is emitted at once and in order; `complete` ends the stream. */
type Emit<R> = (value: R) => void;
type Complete = () => void;

/**
 * What becomes of each item, of the end of the source, and of its error, which is an end then; by default the error is passed on. The source is
 * unsubscribed before its end.
 */
export type Gatherer<T, R> = {
  next: (item: T, emit: Emit<R>, complete: Complete) => void;
  end?: (emit: Emit<R>) => void;
  fail?: (reason: unknown, emit: Emit<R>) => void;
};

/**
 * Begins a gatherer for each subscription, which may emit before the source is subscribed. One subscriber where `startWith`, `scan`, `takeWhile`,
 * `filter`, `map` and `endWith` are one each and `concatMap` is one per item, so what each turn and each line passes uses it. Completes with the
 * source; errors with it, where the gatherer does not say what becomes of that, and with what the gatherer throws.
 *   in      a---b-c--|     (before the source B; a gives x and y, b nothing, c z; behind it E)
 *   out  (Bxy)----z--(E|)
 */
export const gather = <T, R>(begin: (emit: Emit<R>) => Gatherer<T, R>): OperatorFunction<T, R> =>
  operate((subscriber) => {
    const emit = (value: R): void => subscriber.next(value);
    const finish = (): void => subscriber.complete();
    return new GatheringSubscriber(subscriber, begin(emit), { emit, finish });
  });

/**
 * An observer made of functions would cost each item two calls more. Its functions are given to it: V8 makes a function that is assigned to a
 * property where it is written among the old objects, where it holds all that it sees until the next full collection.
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
