/** Counts the marbles of each lane along the whole session, for the minimap. */
import { MARKS } from './data';
import type { Model } from './model';
import type { Track } from './track';

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
