/** Makes the lines of one record. */
import { type RolloutEntry, toRolloutLine } from './rolloutEntry';

/** @param now in ms since 1970; @param nextOrdinal the number of the next line, in a rollout whose lines are counted */
export type LineDeps = { now: () => number; nextOrdinal?: number };

/** Makes the line of each entry, with its line end, and with its number where the lines of the rollout are counted. */
export const numberedLines = ({ now, nextOrdinal }: LineDeps): ((entry: RolloutEntry) => string) => {
  let ordinal = nextOrdinal;
  return (entry) => {
    const line = toRolloutLine(entry, now(), ordinal);
    if (ordinal !== undefined) ordinal += 1;
    return line;
  };
};
