/** Counts response times: any number of them in little memory, and percentiles within one percent. Own code: a package is much larger. */

/** Response times of one kind of request. */
export type Latencies = {
  /** How many fell into each bucket. */
  readonly buckets: ReadonlyMap<number, number>;
  readonly count: number;
  readonly maxMs: number;
};

/** Before the first. */
export const NO_LATENCIES: Latencies = { buckets: new Map(), count: 0, maxMs: 0 };

/** The shortest time that differs from 0. */
const LEAST_MS = 0.001;
/** The bounds of a bucket differ by this factor. */
const GROWTH = 1.02;

const bucketOf = (ms: number): number =>
  ms < LEAST_MS ? 0 : 1 + Math.floor(Math.log(ms / LEAST_MS) / Math.log(GROWTH));

/** With more times, in ms. */
export const withLatencies = (before: Latencies, times: readonly number[]): Latencies => {
  const buckets = new Map(before.buckets);
  for (const ms of times) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
  const maxMs = times.reduce((max, ms) => Math.max(max, ms), before.maxMs);
  return { buckets, count: before.count + times.length, maxMs };
};

/** The time that this part of all responses did not exceed, in ms; null without a response. @param part from 0 to 1 */
export const latencyAt = ({ buckets, count, maxMs }: Latencies, part: number): number | null => {
  if (count === 0) return null;
  const rank = Math.max(1, Math.ceil(count * part));
  let passed = 0;
  for (const [bucket, own] of [...buckets].toSorted(([a], [b]) => a - b)) {
    passed += own;
    if (passed >= rank) return bucket === 0 ? 0 : Math.min(maxMs, LEAST_MS * GROWTH ** (bucket - 0.5));
  }
  return maxMs;
};
