/** Decides which marbles are visible, and the position of each in time; and counts them along the whole session, for the minimap. */
import { MARKS, type Model } from './model';

/** How time runs: a column per message, or by the clock. */
export type Axis = 'ordinal' | 'linear';

/** What is hidden, by indices. */
export type Filter = {
  lanes: ReadonlySet<number>;
  /** -1 stands for marbles without a thread. */
  threads: ReadonlySet<number>;
};

/** The visible marbles along the axis. */
export type Track = {
  axis: Axis;
  /** The visible marbles, ascending. */
  shown: Int32Array;
  /** The position of each visible marble: columns, or milliseconds. */
  xs: Float64Array;
  /** By marble: its place among the visible marbles, -1 if it is hidden. */
  rank: Int32Array;
  /** Where the track ends. */
  length: number;
};

/** The track of the marbles that the filter shows. */
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

/** The first rank whose position is `x` or more; the number of ranks if there is none. */
export const firstAt = ({ xs }: Track, x: number): number => firstIndex(xs, x);

/** The x position of a marble. A hidden marble has the position of the next visible one. */
export const placeOf = ({ rank, shown, xs, length }: Track, marble: number): number => {
  const own = rank[marble] ?? -1;
  return xs[own >= 0 ? own : firstIndex(shown, marble)] ?? length;
};

/** The index of the first of ascending values that is not below `least`. */
const firstIndex = (values: ArrayLike<number>, least: number): number => {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
};

type MarbleRange = { first: number; last: number; lane: number };

/** Whether a hit of the search is in a range; hits ascend. */
export const hasHit = ({ marbles }: Model, hits: readonly number[], { first, last, lane }: MarbleRange): boolean => {
  for (let i = firstIndex(hits, first); i < hits.length && (hits[i] ?? 0) <= last; i += 1) {
    if (marbles.lane[hits[i] ?? 0] === lane) return true;
  }
  return false;
};

type Overview = {
  /** By lane, then by bar: how full the bar is, from 0 to `LEVELS`. */
  levels: Map<number, Uint8Array>;
  /** By bar: 1 if an error is there. */
  bad: Uint8Array;
  /** By bar: 1 if a hit is there. */
  found: Uint8Array;
};

/** How many strengths a bar has. */
export const LEVELS = 3;

/**
 * The overview in `bars` bars. Lanes without a visible marble are left out.
 * @param hits the marbles that the search found
 */
export const toOverview = (
  { marbles }: Model,
  { track, hits }: { track: Track; hits: readonly number[] },
  bars: number,
): Overview => {
  const counts = new Map<number, Float64Array>();
  const [bad, found] = [new Uint8Array(bars), new Uint8Array(bars)];
  const barOf = (rank: number): number => Math.min(bars - 1, Math.floor(((track.xs[rank] ?? 0) / track.length) * bars));
  for (let rank = 0; rank < track.shown.length; rank += 1) {
    const i = track.shown[rank] ?? 0;
    const lane = marbles.lane[i] ?? 0;
    const own = counts.get(lane) ?? new Float64Array(bars);
    counts.set(lane, own);
    const bar = barOf(rank);
    own[bar] = (own[bar] ?? 0) + (marbles.count[i] ?? 1);
    if (MARKS[marbles.mark[i] ?? 0] === 'error') bad[bar] = 1;
  }
  for (const hit of hits) found[barOf(track.rank[hit] ?? 0)] = 1;
  const levels = [...counts].sort(([a], [b]) => a - b).map(([lane, own]) => [lane, toLevels(own)] as const);
  return { levels: new Map(levels), bad, found };
};

/** The strength of each bar: the square root of its count relative to the fullest bar, in `LEVELS` steps. */
const toLevels = (counts: Float64Array): Uint8Array => {
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  return Uint8Array.from(counts, (count) =>
    count === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(count / most) * LEVELS)),
  );
};
