/** Sends some items of a stream another way. */
import { type Observable, type OperatorFunction, Subject, Subscriber } from 'rxjs';
import { operate } from './operate';

/** Where an item can go. */
export type Ways<A, R> = {
  /** Emits a value at once. */
  emit: (value: R) => void;
  /** Sends a value the other way. */
  divert: (value: A) => void;
};

export type Diversion<T, A, R> = {
  /** Sends each item its way. */
  project: (item: T, ways: Ways<A, R>) => void;
  /** The other way; it is subscribed when the first value is diverted. */
  other: (diverted$: Observable<A>) => Observable<R>;
};

/**
 * Emits what `project` emits at once, and what `other` makes of the diverted values. Completes when the source and the other way have
 * completed; errors with either, and with what `project` throws.
 *   in     -a-B-c-|          (B is diverted, and takes four frames)
 *   out    -a---c-(B|)
 */
export const divert = <T, A, R>(diversion: Diversion<T, A, R>): OperatorFunction<T, R> =>
  operate((subscriber) => new DivertingSubscriber(subscriber, diversion));

class DivertingSubscriber<T, A, R> extends Subscriber<T> {
  private diverted$: Subject<A> | undefined; // the wire from the source to the other way, once something goes there
  private open = 1; // ways that have not ended
  private readonly ways: Ways<A, R>;

  constructor(
    private readonly subscriber: Subscriber<R>,
    private readonly diversion: Diversion<T, A, R>,
  ) {
    super(subscriber);
    this.ways = { emit: (value) => subscriber.next(value), divert: (value) => this.other().next(value) };
  }

  protected override _next(item: T): void {
    try {
      this.diversion.project(item, this.ways);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _complete(): void {
    this.unsubscribe();
    this.diverted$?.complete();
    this.endWay();
  }

  private other(): Subject<A> {
    if (this.diverted$ !== undefined) return this.diverted$;
    const diverted$ = new Subject<A>(); // the wire to the branch
    this.diverted$ = diverted$;
    this.open += 1;
    const next = (value: R) => this.subscriber.next(value);
    const error = (reason: unknown) => this.subscriber.error(reason);
    const complete = () => this.endWay();
    this.subscriber.add(this.diversion.other(diverted$).subscribe({ next, error, complete }));
    return diverted$;
  }

  private endWay(): void {
    this.open -= 1;
    if (this.open === 0) this.subscriber.complete();
  }
}
