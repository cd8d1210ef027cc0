/** Emits none, one or many values for each item, without an array or an Observable between. */
import { Observable, type OperatorFunction } from 'rxjs';

/**
 * Calls `project` with each item; what it passes to `emit` is emitted at once and in order. One subscriber where `filter` and `map`
 * are two and `concatMap` is one per item, so the operators that each line passes use it. Completes and errors with the source;
 * errors with what `project` throws.
 *   in  a---b-c--|     (a emits x and y, b nothing, c z)
 *   out (xy)--z--|
 */
export const mapMulti =
  <T, R>(project: (item: T, emit: (value: R) => void) => void): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => {
      const emit = (value: R) => subscriber.next(value);
      return item$.subscribe({
        next: (item) => {
          try {
            if (!subscriber.closed) project(item, emit);
          } catch (reason) {
            subscriber.error(reason);
          }
        },
        error: (reason) => subscriber.error(reason),
        complete: () => subscriber.complete(),
      });
    });
