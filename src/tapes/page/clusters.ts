/** Clusters marbles that would overlap. */

/** Marbles of one lane on one spot. */
export type Cluster = {
  lane: number;
  /** About the middle of its marbles. */
  x: number;
  first: number;
  last: number;
  count: number;
  /** How many are errors. */
  bad: number;
};

type Growing = Cluster & { startX: number };

/**
 * Clusters of the marbles from `from` to below `to`. A marble joins the last cluster of its lane if it is less than `gap` after the first marble
 * there. Clusters of a lane are `gap` apart; a cluster that reaches up to the next is moved towards its beginning.
 * @param laneOf the lane of a marble, from 0
 * @param xOf its position, which must not decrease
 * @param badOf whether it is an error
 */
export const toClusters = (
  [from, to]: readonly [number, number],
  { laneOf, xOf, badOf }: { laneOf: (i: number) => number; xOf: (i: number) => number; badOf: (i: number) => boolean },
  gap: number,
): Cluster[] => {
  const clusters: Growing[] = [];
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
      const cluster = { lane, x, startX: x, first: i, last: i, count: 1, bad: badOf(i) ? 1 : 0 };
      lastOf[lane] = cluster;
      if (last !== undefined) last.x = Math.min(last.x, x - gap);
      clusters.push(cluster);
    }
  }
  return clusters;
};
