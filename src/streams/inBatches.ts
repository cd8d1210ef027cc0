/** Owns work that is done for many items at once when they come faster than it is done for each. */
import { defer, EMPTY, exhaustMap, type Observable, type OperatorFunction, of, repeat, tap } from 'rxjs';

/** A batch takes no more items once their sizes reach `limit`. */
export type BatchLimit<T> = { sizeOf: (item: T) => number; limit: number };

/**
 * Runs `project` for one batch at a time, in order; what comes while one runs makes up the next.
 *   in          abc-----d--
 *   project(a)  ---x|
 *   project(bc)    ---y|
 *   out         ---x--y--z    (the third batch is d, at once)
 */
export const inBatches =
  <T, R>({ sizeOf, limit }: BatchLimit<T>, project: (batch: readonly T[]) => Observable<R>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      const batches: T[][] = [];
      let room = 0;
      const add = (item: T) => {
        if (batches.length === 0 || room <= 0) {
          batches.push([]);
          room = limit;
        }
        batches.at(-1)?.push(item);
        room -= sizeOf(item);
      };
      const next$ = defer(() => project(batches.shift() ?? []));
      const delay = () => (batches.length > 0 ? of(0) : EMPTY);
      return item$.pipe(
        tap(add),
        exhaustMap(() => next$.pipe(repeat({ delay }))),
      );
    });
