/** Holds values back until something else has happened. */
import { defer, type MonoTypeOperatorFunction, map, type Observable, take, tap } from 'rxjs';
import { mapInTurn } from '../scanInTurn';

/**
 * Emits the values of the source in order, from the first value of `signal$` on; later values do not subscribe to it again. Errors with
 * either, with `signal$` only while a value waits.
 *   in      a-b-----c-|
 *   signal  ----s
 *   out     ----(ab)c-|
 */
export const delayUntil =
  <T>(signal$: Observable<unknown>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      let isOpen = false;
      const opened$ = signal$.pipe(
        take(1),
        tap(() => {
          isOpen = true;
        }),
      );
      return source$.pipe(mapInTurn((value: T) => (isOpen ? value : opened$.pipe(map(() => value)))));
    });
