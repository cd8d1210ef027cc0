/** Emits the members of arrays one by one; `concatMap` would subscribe to an Observable for each array. */
import { Observable, type OperatorFunction } from 'rxjs';

/**
 * Each array becomes its members, at once and in order. Completes and errors with the source.
 *   in  a---b-|     (a [1,2], b [])
 *   out (12)--|
 */
export const flatten =
  <T>(): OperatorFunction<readonly T[], T> =>
  (array$) =>
    new Observable((subscriber) =>
      array$.subscribe({
        next: (items) => {
          for (const item of items) subscriber.next(item);
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
