/** Computes the heights of the lanes of the stage. */
import type { Model } from '../model';
import type { State } from '../state';

/** Pixels of a lane; in a narrow window its name stands above its wire. */
const LANE = 40;
const NARROW_LANE = 56;
const NARROW = '(max-width: 640px)';
const TIER = 5;
/** The height of the ruler above the lanes, in pixels. */
export const RULER = 30;

/** A visible lane: its index, and the height of its wire. */
export type Place = { lane: number; y: number };
export type Places = { places: Place[]; yOf: Map<number, number>; height: number };

/** Whether the window has no room for the names of lanes next to their wires. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** The visible lanes, from top to bottom; lanes with calls have room for their bands. */
export const placesOf = ({ lanes, spans, marbles }: Model, { filter }: Pick<State, 'filter'>): Places => {
  const tiers = lanes.map(() => 0);
  for (const [from, , , tier] of spans) {
    const lane = marbles.lane[from] ?? 0;
    tiers[lane] = Math.max(tiers[lane] ?? 0, tier + 1);
  }
  const places: Place[] = [];
  const height = isNarrow() ? NARROW_LANE : LANE;
  let top = RULER;
  lanes.forEach((_, lane) => {
    if (filter.lanes.has(lane)) return;
    places.push({ lane, y: top + height - LANE / 2 });
    top += height + (tiers[lane] ?? 0) * TIER;
  });
  return { places, yOf: new Map(places.map(({ lane, y }) => [lane, y])), height: top + 10 };
};

/** The height of a call's band. */
export const bandY = (wire: number, tier: number): number => wire + 17 + tier * TIER;
