/** Records the values that a program draws afresh in each run: ids, times, random numbers. */
import type { Tape } from './tape';

/** Wraps a source of values, which stay the same, under the name that it has on the tape. */
export type Chance = <T>(name: string, draw: () => T) => () => T;

/** The seam where draws are recorded, each as a line `[name, value]`. */
export const CHANCE_SEAM = 'chance';

/** Records each value that is drawn; without a tape the source stays as it is. */
export const recordChance =
  (tape: Tape | undefined): Chance =>
  (name, draw) => {
    if (tape === undefined) return draw;
    return () => {
      const value = draw();
      tape({ dir: 'out', seam: CHANCE_SEAM, line: JSON.stringify([name, value]) });
      return value;
    };
  };
