/** The place in the life of a process where its stream has no events. */

/** The numbers between two events of a process, both excluded, that the stream did not have when the second was read. */
export type Hole = { after: number; before: number };

/**
 * True for an event in a hole. A stream has the events of a process by ascending `seq`, and what it evicted does not come back: then the event that made
 * the hole, or this one, is not of the process.
 */
export const isInHole = (hole: Hole | undefined, seq: number): boolean =>
  hole !== undefined && seq > hole.after && seq < hole.before;
