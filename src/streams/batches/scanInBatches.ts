/** A scan over batches: `inBatches` whose work starts from the result of the batch before. */
import type { Observable, OperatorFunction } from 'rxjs';
import { scanInTurn } from '../scanInTurn';
import { type BatchLimit, inOpenBatches } from './openBatch';

/** The states during a batch; the last one is passed to the next batch. */
export type BatchReducer<T, S> = (state: S, batch: readonly T[]) => Observable<S>;

/**
 * Runs `step` for one batch at a time, in order; items that come while one runs form the next. Emits each state.
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
