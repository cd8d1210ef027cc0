/** Runs a reducer over a stream and emits its outputs. */
import type { OperatorFunction } from 'rxjs';
import { gather } from './gather';

/** The next state, and what to emit; nothing is emitted where `output` is undefined. */
export type Accumulated<S, R> = { state: S; output?: R };

/**
 * Like `scan`, but emits the outputs of the reducer and keeps its state to itself. Each subscription begins with `seed`. Completes
 * and errors with the source; errors with what `reduce` throws.
 *   in   a--b--c-|     (b has no output)
 *   out  A-----C-|
 */
export const mapAccum = <S, T, R>(reduce: (state: S, item: T) => Accumulated<S, R>, seed: S): OperatorFunction<T, R> =>
  gather(() => {
    let state = seed;
    return {
      next: (item, emit) => {
        const step = reduce(state, item);
        state = step.state;
        if (step.output !== undefined) emit(step.output);
      },
    };
  });
