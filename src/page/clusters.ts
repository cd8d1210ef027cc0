/** Piles marbles that would lie on each other. */

/** Marbles of one lane on one spot, `first` to `last` in order, at `x` about the middle of them; `bad` of them are errors. */
export type Pile = { lane: number; x: number; first: number; last: number; count: number; bad: number };

type Growing = Pile & { startX: number };

/**
 * Piles of the marbles from `from` to below `to`: a marble less than `gap` behind the first of its lane's last pile joins it. Piles of a lane are `gap`
 * apart; one that reaches up to the next stands further to its own beginning.
 * @param laneOf the lane of a marble, from 0 @param xOf where it is; must not go back @param badOf whether it is an error
 */
export const toPiles = (
  [from, to]: readonly [number, number],
  { laneOf, xOf, badOf }: { laneOf: (i: number) => number; xOf: (i: number) => number; badOf: (i: number) => boolean },
  gap: number,
): Pile[] => {
  const piles: Growing[] = [];
  const lastOf: (Growing | undefined)[] = [];
  for (let i = from; i < to; i += 1) {
    const lane = laneOf(i);
    const x = xOf(i);
    const last = lastOf[lane];
    if (last !== undefined && x - last.startX < gap) {
      last.last = i;
      last.count += 1;
      last.x = (last.startX + x) / 2;
      last.bad += badOf(i) ? 1 : 0;
    } else {
      const pile = { lane, x, startX: x, first: i, last: i, count: 1, bad: badOf(i) ? 1 : 0 };
      lastOf[lane] = pile;
      if (last !== undefined) last.x = Math.min(last.x, x - gap);
      piles.push(pile);
    }
  }
  return piles;
};
