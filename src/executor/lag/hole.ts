/** Events of a process that a reader did not get. */

/** The range of their sequence numbers, both ends included. */
export type Hole = { from: number; to: number };

/** True for a number in the hole. */
export const isInHole = (hole: Hole | undefined, seq: number): boolean =>
  hole !== undefined && seq >= hole.from && seq <= hole.to;
