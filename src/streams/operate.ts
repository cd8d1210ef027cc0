/** Operators built like RxJS's own: one subscriber for each subscription, one call for each item. */
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';

/** Items go to the subscriber that `make` returns; the source is not subscribed if that is already closed. Errors with what `make` throws. */
export const operate =
  <T, R>(make: (subscriber: Subscriber<R>) => Subscriber<T>): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => {
      const made = make(subscriber);
      if (!made.closed) item$.subscribe(made);
      return made;
    });
