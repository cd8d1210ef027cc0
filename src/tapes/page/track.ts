/** Decides which marbles are shown, and the position of each in time. */
import type { Model } from './model';

/** How time runs: a column per message, or by the clock. */
export type Axis = 'ordinal' | 'linear';

/** What is hidden: indices of lanes; of threads, -1 for marbles of none. */
export type Filter = { lanes: ReadonlySet<number>; threads: ReadonlySet<number> };

/**
 * The marbles that are shown, ascending, and the position of each: columns, or milliseconds. `length` is where the track
 * ends; `rank` of a marble is its place among those shown, -1 for one that is not.
 */
export type Track = { axis: Axis; shown: Int32Array; xs: Float64Array; rank: Int32Array; length: number };

/** The places of the marbles along the axis, those that the filter shows. */
export const toTrack = ({ size, marbles }: Model, { lanes, threads }: Filter, axis: Axis): Track => {
  const shown = new Int32Array(size);
  const xs = new Float64Array(size);
  const rank = new Int32Array(size).fill(-1);
  let many = 0;
  for (let i = 0; i < size; i += 1) {
    if (lanes.has(marbles.lane[i] ?? 0) || threads.has(marbles.thread[i] ?? -1)) continue;
    shown[many] = i;
    xs[many] = axis === 'ordinal' ? many + 0.5 : (marbles.at[i] ?? 0);
    rank[i] = many;
    many += 1;
  }
  const length = axis === 'ordinal' ? Math.max(many, 1) : Math.max(marbles.at.at(-1) ?? 0, 1);
  return { axis, shown: shown.subarray(0, many), xs: xs.subarray(0, many), rank, length };
};

/** The first rank whose position is `x` or more; the number of ranks when none is. */
export const firstAt = ({ xs }: Track, x: number): number => {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The position of a marble; of one that is hidden, that of the next that is shown. */
export const placeOf = (track: Track, marble: number): number => {
  const rank = track.rank[marble] ?? -1;
  if (rank >= 0) return track.xs[rank] ?? 0;
  let [low, high] = [0, track.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((track.shown[middle] ?? 0) < marble) low = middle + 1;
    else high = middle;
  }
  return track.xs[low] ?? track.length;
};
