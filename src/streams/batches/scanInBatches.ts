/** A scan over batches: `inBatches` whose work begins with what came out of the batch before. */
import type { Observable, OperatorFunction } from 'rxjs';
import { scanInTurn } from '../scanInTurn';
import { type BatchLimit, inOpenBatches } from './openBatch';

/** The states during a batch; the last is that of the next batch. */
export type BatchReducer<T, S> = (state: S, batch: readonly T[]) => Observable<S>;

/**
 * Runs `step` for one batch at a time, in order; items that come while one runs are the next. Emits each state.
 *   in           abc-----d--
 *   step(s, a)   ---t|
 *   step(t, bc)     ---u|
 *   out          ---t--u--v    (the third batch is d, at once, with the state u)
 */
export const scanInBatches = <T, S>(limit: BatchLimit<T>, step: BatchReducer<T, S>, seed: S): OperatorFunction<T, S> =>
  inOpenBatches(limit, (close) =>
    scanInTurn<readonly T[], S>((state, batch) => {
      close(batch);
      return step(state, batch);
    }, seed),
  );
