/** How long to wait between attempts at the same thing. */

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** The wait after this many failed attempts, in ms: 100 after the first, doubling with each further one, at most 2,000. */
export const doublingWait = (failed: number): number => Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_WAIT_MS);
