/** Work on many items at once, where they come faster than one by one can be worked on. */
import { defer, filter, map, type Observable, type OperatorFunction } from 'rxjs';
import { mapInTurn } from './scanInTurn';

/** A batch takes no more items once their sizes reach `limit`. */
export type BatchLimit<T> = { sizeOf: (item: T) => number; limit: number };

/**
 * Runs `project` for one batch at a time, in order; items that come while one runs are the next.
 *   in          abc-----d--
 *   project(a)  ---x|
 *   project(bc)    ---y|
 *   out         ---x--y--z    (the third batch is d, at once)
 */
export const inBatches =
  <T, R>({ sizeOf, limit }: BatchLimit<T>, project: (batch: readonly T[]) => Observable<R>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      let open: T[] | undefined;
      let room = 0;
      const gather = (item: T): T[] | undefined => {
        const full = open === undefined || room <= 0;
        if (full) room = limit;
        room -= sizeOf(item);
        if (!full) return void open?.push(item);
        open = [item];
        return open;
      };
      const run = (batch: T[]): Observable<R> => {
        if (batch === open) open = undefined;
        return project(batch);
      };
      return item$.pipe(
        map(gather),
        filter((batch) => batch !== undefined),
        mapInTurn(run),
      );
    });
