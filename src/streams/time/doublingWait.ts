/** How long to wait between attempts at the same. */

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** The wait after so many attempts that failed, in ms: 100 after the first, twice as long after each further one, 2,000 at most. */
export const doublingWait = (failed: number): number => Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_WAIT_MS);
