/** How long to wait between attempts at the same. */

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** The wait behind so many attempts that failed, in ms: 100 behind the first, twice as long behind each other, 2,000 at most. */
export const doublingWait = (failed: number): number => Math.min(FIRST_WAIT_MS * 2 ** (failed - 1), LONGEST_WAIT_MS);
