/** Orders the marbles of two rows that are compared by the order of their messages. */
import type { ComparedMarble } from '../streams/marbles/drawMismatch';
import { pairUp } from '../streams/marbles/pairUp';

/** Whether a marble that was received is the one that is expected. */
export type IsSame = (expected: ComparedMarble | undefined, actual: ComparedMarble | undefined) => boolean;

/** Marbles of one frame may come in any order: they are put into the order in which they came. */
export const inAnyOrder = (
  expected: ComparedMarble[],
  actual: readonly ComparedMarble[],
  isSame: IsSame,
): ComparedMarble[] => {
  const ordered: ComparedMarble[] = [];
  const rest = [...expected];
  while (rest.length > 0) {
    const together = rest.filter(({ frame }) => frame === rest[0]?.frame);
    const found = together.find((one) => isSame(one, actual[ordered.length])) ?? (rest[0] as ComparedMarble);
    rest.splice(rest.indexOf(found), 1);
    ordered.push(found);
  }
  return ordered;
};

/** The marbles that were received, at the frames of the expected ones; one that was not expected comes directly after the one before it. */
export const inPlace = (
  expected: readonly ComparedMarble[],
  actual: readonly ComparedMarble[],
  isSame: IsSame,
): ComparedMarble[] => {
  let frame = expected[0]?.frame ?? 0;
  return pairUp(expected, actual, isSame).flatMap(({ before, now }) => {
    frame = before ? before.frame : frame + 0.001;
    return now ? [{ ...now, frame }] : [];
  });
};
