/** Works on many items at once, where they come faster than they can be processed one by one. */
import type { Observable, OperatorFunction } from 'rxjs';
import { mapInTurn } from '../scanInTurn';
import { type BatchLimit, inOpenBatches } from './openBatch';

/**
 * Runs `project` for one batch at a time, in order; items that come while one runs form the next.
 *   in          abc-----d--
 *   project(a)  ---x|
 *   project(bc)    ---y|
 *   out         ---x--y--z    (the third batch is d, at once)
 */
export const inBatches = <T, R>(
  limit: BatchLimit<T>,
  project: (batch: readonly T[]) => Observable<R>,
): OperatorFunction<T, R> =>
  inOpenBatches(limit, (close) =>
    mapInTurn((batch) => {
      close(batch);
      return project(batch);
    }),
  );
