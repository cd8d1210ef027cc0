/** Operators built like RxJS's own: one subscriber for each subscription, one call for each item. */
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';

/**
 * An operator whose items go to the subscriber that `make` returns for the downstream one. The source is not subscribed if the returned one is
 * already closed. Errors with what `make` throws.
 * @param begin is called once the source is subscribed
 */
export const operate =
  <T, R, S extends Subscriber<T> = Subscriber<T>>(
    make: (subscriber: Subscriber<R>) => S,
    begin?: (made: S) => void,
  ): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => {
      const made = make(subscriber);
      if (!made.closed) item$.subscribe(made);
      begin?.(made);
      return made;
    });
