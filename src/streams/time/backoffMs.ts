/** How long to wait between attempts at a request, with jitter. Source: Codex 0.28.0, cases mh04 to mh16. */

const FIRST_WAIT_MS = 200;

/**
 * The wait after attempt `n`, counted from 1, in ms: doubling from 200, ± 10 %, so that clients that failed together do not retry together.
 * @param random 0 up to, but not including, 1
 */
export const backoffMs = (n: number, random: () => number): number =>
  FIRST_WAIT_MS * 2 ** (n - 1) * (0.9 + 0.2 * random());
