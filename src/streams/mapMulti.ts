/** Emits none, one or many values for each item, without an array or an Observable between. */
import { Observable, type OperatorFunction, Subscriber } from 'rxjs';

type Project<T, R> = (item: T, emit: (value: R) => void) => void;

/**
 * Calls `project` with each item; what it passes to `emit` is emitted at once and in order. One subscriber where `filter` and `map`
 * are two and `concatMap` is one per item, so the operators that each line passes use it. Completes and errors with the source;
 * errors with what `project` throws.
 *   in  a---b-c--|     (a emits x and y, b nothing, c z)
 *   out (xy)--z--|
 */
export const mapMulti =
  <T, R>(project: Project<T, R>): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => item$.subscribe(new MultiSubscriber(subscriber, project)));

/** As the subscribers of RxJS's own operators; an observer made of functions would cost each item two calls more. */
class MultiSubscriber<T, R> extends Subscriber<T> {
  private readonly emit: (value: R) => void;

  constructor(
    subscriber: Subscriber<R>,
    private readonly project: Project<T, R>,
  ) {
    super(subscriber);
    this.emit = (value) => subscriber.next(value);
  }

  protected override _next(item: T): void {
    try {
      this.project(item, this.emit);
    } catch (reason) {
      this.destination.error(reason);
    }
  }
}
