/** Operators made as RxJS makes its own: one subscriber for each subscription, one call for each item. */
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';

/**
 * An operator whose items go to the subscriber that `make` returns for the one behind it. The source is not subscribed where that one is
 * closed already. Errors with what `make` throws.
 */
export const operate =
  <T, R>(make: (subscriber: Subscriber<R>) => Subscriber<T>): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => {
      const made = make(subscriber);
      return made.closed ? made : item$.subscribe(made);
    });
