/** Work that pauses. */
import type { Pausing } from '../../src/streams/pausing';

/** How often a work paused, and its result. */
export const stepsOf = <T>(work: Pausing<T>): { steps: number; result: T } => {
  let steps = 0;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return { steps, result: step.value };
    steps += 1;
  }
};
