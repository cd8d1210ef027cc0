/** Operators made as RxJS makes its own: one subscriber for each subscription, one call for each item. */
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';

/**
 * An operator whose items go to the subscriber that `make` returns for the one behind it. The source is not subscribed where that one is
 * closed already. Errors with what `make` throws.
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
