/** Events of a process that a reader did not get. */

/** The numbers of such events, from one to another, both included. */
export type Hole = { from: number; to: number };

/** True for a number in the hole. */
export const isInHole = (hole: Hole | undefined, seq: number): boolean =>
  hole !== undefined && seq >= hole.from && seq <= hole.to;
